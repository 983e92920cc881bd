import axios from 'axios';

const get = (path) => axios.get(`https://users.example${path}`, { timeout: 3000 });

export const user = (id) => get(`/users/${id}`);
export const team = (id) => get(`/teams/${id}`);
export const avatar = (id) => axios.get(`https://users.example/avatars/${id}`);
