import axios from 'axios';

export const rename = (id, name) => axios.post(`https://users.example/${id}`, { name, timeout: 3000 });
