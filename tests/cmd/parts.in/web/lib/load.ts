import { bare } from './http';

export const load = async (url: string) => (await bare(url)).data;
