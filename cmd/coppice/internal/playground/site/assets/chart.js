// Charts of curves, as SVG with texts of the page's own size.
import { h, s, number } from './dom.js';

// ticks returns round numbers within a range.
export function ticks(least, most, count = 5) {
  const span = most - least || 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((v) => span / v <= count) ?? span;
  const found = [];
  for (let v = Math.ceil(least / step - 1e-9) * step; v <= most + step * 1e-6; v += step) {
    found.push(Math.abs(v) < step * 1e-6 ? 0 : v);
  }
  return found;
}

// chart makes a chart. Curves are { name, x, y, kind, label }, where kind is a class of the style
// sheet; marks are drawn by draw(scales) after the curves. Options: title, x and y with label, least,
// most and read; wide and tall; place(x) is called where the chart is pressed.
export function chart({ title, x, y, curves = [], draw, wide = across(), tall = 260, place,
  legend = true, label = title }) {
  const left = 64;
  const right = 14;
  const top = 12;
  const bottom = 44;
  const span = (v, least, most) => (v - least) / (most - least || 1);
  const sx = (v) => left + span(v, x.least, x.most) * (wide - left - right);
  const sy = (v) => tall - bottom - span(v, y.least, y.most) * (tall - top - bottom);
  const clip = `clip-${(chart.count = (chart.count ?? 0) + 1)}`;
  const svg = s('svg', { viewBox: `0 0 ${wide} ${tall}`, role: 'img', 'aria-label': label,
    class: 'chart' });
  svg.append(s('clipPath', { id: clip },
    s('rect', { x: left - 2, y: top - 2, width: wide - left - right + 4,
      height: tall - top - bottom + 4 })));
  for (const v of ticks(y.least, y.most, 4)) {
    svg.append(s('line', { class: 'grid', x1: left, x2: wide - right, y1: sy(v), y2: sy(v) }),
      s('text', { x: left - 8, y: sy(v) + 4, 'text-anchor': 'end' }, (y.read ?? number)(v)));
  }
  for (const v of ticks(x.least, x.most, 6)) {
    svg.append(s('text', { x: sx(v), y: tall - bottom + 18, 'text-anchor': 'middle' },
      (x.read ?? number)(v)));
  }
  svg.append(
    s('line', { class: 'axis', x1: left, x2: wide - right, y1: tall - bottom, y2: tall - bottom }),
    s('text', { x: (left + wide - right) / 2, y: tall - 8, 'text-anchor': 'middle' }, x.label ?? ''),
    s('text', { transform: `translate(12 ${(top + tall - bottom) / 2}) rotate(-90)`,
      'text-anchor': 'middle' }, y.label ?? ''));
  const inside = s('g', { 'clip-path': `url(#${clip})` });
  for (const c of curves) {
    const path = c.y.map((v, i) => `${i ? 'L' : 'M'}${sx(c.x[i]).toFixed(1)} ${sy(v).toFixed(1)}`);
    inside.append(s('path', { class: `curve ${c.kind}`, d: path.join('') }));
    if (c.y.length === 1) inside.append(s('circle', { class: `dot ${c.kind}`, cx: sx(c.x[0]),
      cy: sy(c.y[0]), r: 4 }));
  }
  svg.append(inside);
  draw?.({ x: sx, y: sy, inside, left, right: wide - right, top, bottom: tall - bottom });
  if (place) {
    const press = (e) => {
      const box = svg.getBoundingClientRect();
      const at = ((e.clientX - box.left) / box.width) * wide;
      place(x.least + ((at - left) / (wide - left - right)) * (x.most - x.least));
    };
    svg.classList.add('pressed');
    svg.addEventListener('pointerdown', (e) => {
      press(e);
      svg.setPointerCapture(e.pointerId);
    });
    svg.addEventListener('pointermove', (e) => e.buttons && press(e));
  }
  const names = legend && curves.some((c) => c.name)
    ? h('ul', { class: 'legend' }, curves.filter((c) => c.name).map((c) =>
      h('li', {}, s('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true' },
        s('path', { class: `curve ${c.kind}`, d: 'M1 5H25' })), c.name)))
    : null;
  return h('figure', {}, title ? h('figcaption', {}, title) : null, svg, names);
}

// across is the width of a chart in its own units, so that its texts are as large on a phone.
const across = () => Math.min(520, Math.max(300, innerWidth - 60));

// upTo returns an axis from 0 to a little more than the largest of some numbers.
export const upTo = (values, least = 0.1) => ({ least: 0, most: Math.max(least, ...values) * 1.08 });
