import axios from 'axios';

export async function orders() {
  return axios.get('http://inner/orders', { timeout: 3000 });
}

export async function legacy() {
  return axios.get('http://old/orders');
}
