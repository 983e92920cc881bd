import axios from 'axios';
import { acme } from 'acme';
export async function load() {
  await axios.get('http://inner/x');
  await acme.get('http://x/y');
}
