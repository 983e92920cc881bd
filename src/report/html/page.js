// Sorts, filters and opens the rows of the page. Everything is in the page already; nothing is loaded.
(() => {
  const list = document.getElementById('sites');
  const tools = document.getElementById('tools');
  if (!list || !tools) return;
  const rows = [...list.children];
  const sort = document.getElementById('sort');
  const heads = [...document.querySelectorAll('.columns button')];
  const words = new Map();
  const numbers = new Set(['place', 'ms']);
  let down = true;

  const key = (row, by) => {
    const value = by === 'verdict' ? row.dataset.rank : row.dataset[by];
    if (by === 'verdict' || numbers.has(by)) return value === undefined ? Infinity : Number(value);
    return value || '\uffff';
  };

  const arrange = () => {
    const by = sort.value;
    const keyed = rows.map((row) => [key(row, by), Number(row.dataset.place), row]);
    keyed.sort(([a, at], [b, bt]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? 1 : -1) || at - bt);
    const all = document.createDocumentFragment();
    for (const [, , row] of keyed) all.append(row);
    list.append(all);
    for (const head of heads) {
      head.classList.toggle('sorted', head.dataset.sort === by);
      head.classList.toggle('up', !down);
    }
  };

  const filter = () => {
    const wanted = document.getElementById('find').value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = new Set([...tools.querySelectorAll('[name=verdict]:checked')].map((box) => box.value));
    const kind = document.getElementById('kind').value;
    const client = document.getElementById('client').value;
    let shown = 0;
    for (const row of rows) {
      const { dataset } = row;
      let fits = verdicts.has(dataset.verdict) && (!kind || dataset.kind === kind) && (!client || dataset.client === client);
      if (fits && wanted.length > 0) {
        if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
        fits = wanted.every((word) => words.get(row).includes(word));
      }
      row.hidden = !fits;
      shown += fits;
    }
    document.getElementById('count').value = shown === rows.length ? `${shown} calls` : `${shown} of ${rows.length} calls`;
  };

  const openNamed = () => {
    const row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = row && row.querySelector('details');
    if (details) {
      details.open = true;
      row.scrollIntoView();
    }
  };

  tools.hidden = false;
  tools.addEventListener('submit', (event) => event.preventDefault());
  tools.addEventListener('input', (event) => (event.target === sort ? ((down = true), arrange()) : filter()));
  for (const head of heads) {
    head.addEventListener('click', () => {
      down = sort.value === head.dataset.sort ? !down : true;
      sort.value = head.dataset.sort;
      arrange();
    });
  }
  const open = document.getElementById('open');
  open.addEventListener('click', () => {
    const opens = open.textContent === 'Open all';
    for (const row of rows) if (!row.hidden) row.firstElementChild.open = opens;
    open.textContent = opens ? 'Close all' : 'Open all';
  });
  addEventListener('hashchange', openNamed);
  filter();
  arrange();
  openNamed();
})();
