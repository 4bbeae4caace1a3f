// sections are functions by name, which make the elements of a section of its content.
const sections = {};

// Elements, numbers as text, tables. All texts become text nodes or attributes, never HTML.

const page = JSON.parse(document.getElementById('data-page').textContent);

// blocks read the content of a section; undefined where the page has none.
const blocks = {};
const content = (name) => {
  if (!(name in blocks)) {
    const element = document.getElementById(`data-${name}`);
    blocks[name] = element ? JSON.parse(element.textContent) : undefined;
  }
  return blocks[name];
};

// h makes an element. A function as an attribute listens to the event of its name.
const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null));
  return element;
};

// svgElement makes an element of an SVG.
const svgElement = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// number writes a number with some significant digits; null is what is not known.
const number = (x, digits = 4) => {
  if (x === null || x === undefined) return '–';
  if (x !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e9)) {
    return x.toExponential(digits - 1).replace(/\.?0+e/, 'e');
  }
  const whole = Math.abs(x) >= 10 ** digits;
  return x.toLocaleString(
    'en',
    whole ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: digits },
  );
};

const percent = (x) => (Number.isFinite(x) ? `${(100 * x).toFixed(1)} %` : '–');

// scrolled puts what may be wide into a region that scrolls by itself, also by keyboard.
const scrolled = (label, element) =>
  h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: '0' }, element);

// table makes a table with a caption. Columns are { name, cell(row), number, long, screen, order(row) }:
// cell returns text or an element, a column with order can be sorted by its head, and one with screen
// is not printed.
const kindOf = (c) => ['number', 'long', 'screen'].find((kind) => c[kind]);
// Tables of few columns with a long one stack on phones.
const stacks = (columns) => columns.some((c) => c.long) && columns.length <= 6;
let captions = 0;
const table = (caption, columns, rows, options = {}) => {
  const body = h('tbody');
  const id = `caption-${(captions += 1)}`;
  const fill = (some) => {
    const cells = (row) =>
      columns.map((c, i) =>
        h(
          i === 0 && !options.plain ? 'th' : 'td',
          {
            class: kindOf(c),
            scope: i === 0 && !options.plain ? 'row' : undefined,
          },
          c.cell(row) ?? '',
        ),
      );
    body.replaceChildren(
      ...some.map((row) => {
        const line = h('tr', {}, cells(row));
        options.line?.(line, row);
        return line;
      }),
    );
  };
  const heads = columns.map((c) => {
    const head = h('th', { scope: 'col', class: kindOf(c) });
    if (!c.order) {
      head.append(c.name);
      return head;
    }
    head.append(
      h(
        'button',
        {
          class: 'sort',
          click: () => {
            const falling = head.getAttribute('aria-sort') !== 'descending';
            for (const other of heads) other.removeAttribute('aria-sort');
            head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
            const key = (row) => c.order(row) ?? -Infinity;
            const sign = falling ? -1 : 1;
            fill([...rows].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0)));
          },
        },
        c.name,
      ),
    );
    return head;
  });
  fill(rows);
  return h(
    'div',
    { class: stacks(columns) ? 'table longs' : 'table' },
    h('p', { class: 'caption', id, 'aria-hidden': 'true' }, caption),
    scrolled(
      caption,
      h(
        'table',
        {},
        h('caption', { class: 'hidden' }, caption),
        h('thead', {}, h('tr', {}, heads)),
        body,
      ),
    ),
  );
};

// facts makes a list of names with texts.
const facts = (list) =>
  h(
    'dl',
    { class: 'facts' },
    list.map(({ name, text }) => h('div', {}, h('dt', {}, name), h('dd', {}, text))),
  );

// choice makes a labeled list of options, and calls changed with the number of the chosen one.
let choices = 0;
const choice = (label, options, changed, first = 0) => {
  const id = `choice-${(choices += 1)}`;
  const select = h(
    'select',
    { id, change: () => changed(select.selectedIndex) },
    options.map((text, i) => h('option', { selected: i === first ? '' : undefined }, text)),
  );
  return h('p', { class: 'choice' }, h('label', { for: id }, label), ' ', select);
};

const note = (...text) => h('p', { class: 'note' }, text);

// spark draws counts as small bars, for cells of tables.
const spark = (counts, label) => {
  const width = 120;
  const height = 26;
  const most = Math.max(...counts, 1);
  const step = width / counts.length;
  return svgElement(
    'svg',
    {
      class: 'spark',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': label,
      width,
      height,
    },
    ...counts.map((n, i) => {
      const high = (height * n) / most;
      return svgElement('rect', {
        x: i * step,
        y: height - high,
        width: Math.max(step - 0.6, 0.4),
        height: high,
      });
    }),
  );
};

// bar draws a value as a bar from the left, for cells of tables; an interval as a line over it.
const bar = (value, most, low, high) => {
  const place = (x) => Math.max(0, Math.min(100, (100 * x) / (most || 1)));
  const drawn = svgElement(
    'svg',
    { class: 'bar', viewBox: '0 0 100 10', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    svgElement('rect', { x: 0, y: 1, width: place(value), height: 8 }),
  );
  if (low !== undefined) {
    drawn.append(svgElement('line', { x1: place(low), x2: place(high), y1: 5, y2: 5 }));
  }
  return drawn;
};
