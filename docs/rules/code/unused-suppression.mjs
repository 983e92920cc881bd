import axios from 'axios';

// untimed: allow(uncovered-call) the gateway ends it
export const user = (id) => axios.get(`https://users.example/${id}`, { timeout: 3000 });
