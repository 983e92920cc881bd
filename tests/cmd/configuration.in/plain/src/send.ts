import axios from 'axios';

export function send(path: string) {
  return axios.get(`http://inner${path}`);
}

export function status() {
  return axios.get('http://inner/status');
}

export const both = () => [send('/a'), send('/b'), status(), status()];
