// Charts by Vega-Lite. Colours of text and lines are variables of the style sheet, so that charts
// follow the switch between light and dark, and print.

const colours = page.colours;

const config = {
  aria: false, // the figure has the words
  background: 'transparent',
  font: 'system-ui, sans-serif',
  view: { stroke: 'transparent' },
  axis: {
    labelColor: 'var(--faded)',
    titleColor: 'var(--faded)',
    domainColor: 'var(--line)',
    tickColor: 'var(--line)',
    gridColor: 'var(--line)',
    gridOpacity: 0.6,
    labelFontSize: 11,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelLimit: 150,
    labelSeparation: 6,
    titlePadding: 8,
  },
  legend: {
    labelColor: 'var(--ink)',
    titleColor: 'var(--faded)',
    titleFontWeight: 'normal',
    labelLimit: 160,
    orient: 'bottom',
  },
  header: { labelColor: 'var(--ink)', titleColor: 'var(--faded)' },
  title: { color: 'var(--ink)', fontSize: 13, anchor: 'start', fontWeight: 600 },
  range: { category: colours },
  bar: { fill: 'var(--series)' },
  point: { filled: true, opacity: 0.6 },
  rule: { color: 'var(--faded)' },
  text: { color: 'var(--ink)' },
};

// The tooltip is one box for all charts.



const tooltip = (_, event, __, value) => {
  if (value === null || value === undefined || value === '') {
    box.hidden = true;
    return;
  }
  const lines = typeof value === 'object' ? Object.entries(value) : [['', String(value)]];
  box.replaceChildren(
    ...lines.map(([name, text]) =>
      h(
        'div',
        {},
        h('span', {}, name),
        ' ',
        typeof text === 'number' ? number(text) : String(text),
      ),
    ),
  );
  box.hidden = false;
  const right = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
  box.style.left = `${Math.max(4, right)}px`;
  box.style.top = `${Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 8)}px`;
};

// Charts are drawn one after the other once the page is shown, from the top.
const waiting = [];
let drawing = false;
const drawAll = async () => {
  if (drawing) return;
  drawing = true;
  while (waiting.length > 0) {
    const { element, spec } = waiting.shift();
    try {
      await drawChart(element, spec, tooltip);
      for (const inner of element.querySelectorAll('svg'))
        inner.setAttribute('aria-hidden', 'true');
    } catch (error) {
      element.textContent = `This chart cannot be drawn: ${error.message}`;
    }
    await new Promise((done) => {
      setTimeout(done, 0);
    });
  }
  drawing = false;
  document.documentElement.dataset.drawn = 'yes';
};

const draw = (element, spec) => {
  waiting.push({
    element,
    spec: {
      width: 'container',
      height: 260,
      config,
      autosize: { type: 'fit-x', contains: 'padding' },
      ...spec,
    },
  });
  if (document.readyState === 'complete') drawAll();
};
addEventListener('load', () => {
  setTimeout(drawAll, 0);
});

// chart makes a figure. The description is read in place of the picture.
const chart = (title, description, spec) => {
  const element = h('div', { class: 'chart', role: 'img', 'aria-label': description });
  draw(element, spec);
  return h('figure', {}, h('figcaption', {}, title), element);
};

// changing makes a figure whose chart is drawn again, by the function that it returns.
const changing = (title) => {
  const element = h('div', { class: 'chart', role: 'img' });
  const caption = h('figcaption', {}, title);
  return [
    h('figure', {}, caption, element),
    (description, spec, head) => {
      if (head) caption.textContent = head;
      element.setAttribute('aria-label', description);
      draw(element, spec);
    },
  ];
};

const values = (rows) => ({ values: rows });

// Names of fields are our own, so no name of a column is read as a path or an expression.
const x = (field, title, more = {}) => ({ field, type: 'quantitative', title, ...more });

// Numbers that may be years have no separator of thousands.
const yearly = (list) => {
  const known = list.filter((v) => v !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return low >= 1500 && high <= 2200 && high - low >= 5 ? { axis: { format: 'd' } } : {};
};

// overValues places the values of a feature: numbers, or dates as milliseconds since 1970, in UTC.
const overValues = (field, f, list, more = {}) =>
  f.date
    ? { field, type: 'temporal', title: f.name, scale: { type: 'utc', ...more } }
    : x(field, f.name, { scale: { zero: false, ...more }, ...yearly(list) });

// asDate writes a value of a feature in tooltips.
const asDate = (f, v) =>
  f.date && typeof v === 'number' ? new Date(v).toISOString().replace('T00:00:00.000Z', '') : v;
const nominal = (field, title, more = {}) => ({ field, type: 'nominal', title, ...more });
const shown = (...pairs) =>
  pairs.map(([field, title, format]) => ({ field, title, ...(format ? { format } : {}) }));

// line draws points that are joined, with a diagonal or other curves below them where given.
const line = (rows, across, up, more = {}) => ({
  data: values(rows),
  layer: [
    ...(more.below ?? []),
    {
      mark: { type: 'line', color: 'var(--series)', strokeWidth: 2, ...more.mark },
      encoding: { x: across, y: up, order: { field: 'i', type: 'quantitative' }, ...more.encoding },
    },
    ...(more.above ?? []),
  ],
});

const diagonal = (across, up) => ({
  data: values([
    { a: 0, b: 0 },
    { a: 1, b: 1 },
  ]),
  mark: { type: 'line', strokeDash: [4, 4], color: 'var(--faded)', strokeWidth: 1 },
  encoding: { x: x('a', across), y: x('b', up) },
});
