// Charts: a box beside the pointer has the values of the nearest mark.

const box = document.createElement('div');
box.className = 'tooltip';
box.hidden = true;
document.querySelector('main').append(box);

// marks lists the places of the marks of a chart, in its own pixels.
const marksOf = (chart) =>
  [...chart.querySelectorAll('path.m')].flatMap((path) => {
    const all = [];
    for (const [, x, y] of path.getAttribute('d').matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)) {
      all.push({ x: Number(x), y: Number(y), name: path.dataset.n });
    }
    return all;
  });

// valueAt reads an axis: two ends in pixels, the values of these, and the kind.
const valueAt = (words, at, names) => {
  const [from, to, low, high, kind] = words.split(' ').map((w, i) => (i < 4 ? Number(w) : w));
  const part = (at - from) / (to - from);
  const value = kind === 'log' ? low * (high / low) ** part : low + part * (high - low);
  if (kind === 'name') return names[Math.round(value)];
  if (kind === 'date') return new Date(value * 864e5).toISOString().slice(0, 10);
  const digits = Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(Math.abs(high - low)))));
  return String(Number(value.toFixed(digits)));
};

const point = (chart, marks, event) => {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(
    chart.getScreenCTM().inverse(),
  );
  let best;
  let least = 30 ** 2;
  for (const mark of marks) {
    const distance = (mark.x - place.x) ** 2 + (mark.y - place.y) ** 2;
    if (distance < least) [best, least] = [mark, distance];
  }
  box.hidden = !best;
  if (!best) return;
  const { x, y, across, up, names } = chart.dataset;
  const lines = [
    best.name,
    `${across}: ${valueAt(x, best.x)}`,
    [up, valueAt(y, best.y, names?.split('\n'))].filter((text) => text).join(': '),
  ];
  box.replaceChildren(
    ...lines
      .filter((text) => text)
      .map((text) => {
        const line = document.createElement('div');
        line.textContent = text;
        return line;
      }),
  );
  const right = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
  box.style.left = `${Math.max(4, right)}px`;
  box.style.top = `${Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 8)}px`;
};

for (const chart of document.querySelectorAll('svg.chart')) {
  let marks;
  chart.addEventListener('pointermove', (event) => {
    marks ??= marksOf(chart);
    point(chart, marks, event);
  });
  chart.addEventListener('pointerleave', () => {
    box.hidden = true;
  });
}
