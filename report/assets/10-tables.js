// Tables: the heads of some columns become buttons that sort the rows.

for (const head of document.querySelectorAll('th[data-sort]')) {
  const button = document.createElement('button');
  button.className = 'sort';
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener('click', () => {
    const [table, at] = [head.closest('table'), head.cellIndex];
    const falling = head.getAttribute('aria-sort') !== 'descending';
    for (const other of head.parentNode.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
    const key = (row) => row.cells[at].dataset.key ?? row.cells[at].textContent;
    const order = (a, b) => a - b || (Number.isNaN(a - b) ? a.localeCompare(b) : 0);
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (falling ? order(key(b), key(a)) : order(key(a), key(b))));
    table.tBodies[0].append(...rows);
  });
}
