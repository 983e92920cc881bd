import axios from 'axios';

export async function load() {
  await axios.get('/a'); // untimed: allow(uncovered-call) the gateway ends it
  // untimed: allow(uncovered-call) a long poll
  await axios.get('/b');
  /* untimed: allow(uncovered-call): two rules, one comment above
     the other */
  // untimed: allow(limit-off) a stream
  await axios.get('/c', { timeout: 0 });
  await axios
    .get('/d') // untimed: allow(uncovered-call) on the name's line
    .then((answer) => answer.data);
  await axios.get('/e');
}
