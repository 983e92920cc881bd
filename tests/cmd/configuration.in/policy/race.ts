export async function load() {
  const late = new Promise((_, reject) => setTimeout(reject, 500));
  return Promise.race([fetch('http://inner/a').then((answer) => answer.json()), late]);
}
