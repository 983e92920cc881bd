export async function user(id) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 3000);
  const response = await fetch(`https://users.example/${id}`, { signal: abort.signal });
  clearTimeout(timer);
  return response.json();
}
