import { harbour } from 'lanterns';

const north = harbour('https://north.example', { waitMs: 2000 });
const south = harbour('https://south.example', { timeout: 2000 });

export const light = () => north.signal('/light');
export const depth = () => south.ask('/depth');
