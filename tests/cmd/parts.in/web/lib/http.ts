import axios from 'axios';

export const api = axios.create({ timeout: 2000 });
export const bare = (url: string) => axios.get(url);
