import { api } from '@/lib/http';
import { load } from '@/lib/load';

export const page = () => api.get('/page');
export const rest = () => load('https://moon.example/rest');
