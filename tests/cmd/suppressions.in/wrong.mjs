import axios from 'axios';

axios.get('/a'); // untimed: allow(uncovered-call)
axios.get('/b'); // untimed: allow(uncoverd-call) misspelled
axios.get('/c'); // untimed: allow(uncovered-call) for a while until=2020-01-31
axios.get('/d', { timeout: 3000 }); // untimed: allow(uncovered-call) it is covered now
axios.get('/e'); // untimed: allow(uncovered-call, partial-limit) one rule too many
axios.get('/f'); // untimed: ignore(uncovered-call) another word
// untimed: says nothing here
