import axios from 'axios';

export const user = (id) => axios.get(`https://users.example/${id}`, { timeout: 5 });
