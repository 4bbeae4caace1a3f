// Pictures of a model: coloured cells with the border between the classes, and functions of one
// number. A picture has edges of cells and their scores, see package playground.
import { h, s } from './dom.js';
import { colour, tint } from './colour.js';

// paintCells draws the cells into a canvas, with x and y from 0 to side.
export function paintCells(context, map, wide, tall, side = 1, from = (v) => v) {
  const columns = map.x.length - 1;
  const px = map.x.map((v) => Math.round((v / side) * wide));
  const py = map.y.map((v) => Math.round((1 - v / side) * tall));
  const score = (i, j) => from(map.score[j * columns + i]);
  for (let j = 0; j + 1 < py.length; j += 1) {
    for (let i = 0; i < columns; i += 1) {
      context.fillStyle = `rgb(${tint(score(i, j)).join()})`;
      context.fillRect(px[i], py[j + 1], px[i + 1] - px[i], py[j] - py[j + 1]);
    }
  }
  context.beginPath();
  const class1 = (i, j) => score(i, j) > 0.5;
  for (let j = 0; j + 1 < py.length; j += 1) {
    for (let i = 0; i < columns; i += 1) {
      if (i > 0 && class1(i, j) !== class1(i - 1, j)) {
        context.moveTo(px[i], py[j]);
        context.lineTo(px[i], py[j + 1]);
      }
      if (j > 0 && class1(i, j) !== class1(i, j - 1)) {
        context.moveTo(px[i], py[j]);
        context.lineTo(px[i + 1], py[j]);
      }
    }
  }
  context.lineWidth = wide / 300;
  context.lineCap = 'square';
  context.strokeStyle = `rgb(${colour('ink').join()})`;
  context.stroke();
}

// centred turns numbers around 0 into scores around 1/2.
export function centred(map) {
  const most = Math.max(1e-9, ...map.score.map(Math.abs));
  return (v) => 0.5 + v / (2 * most);
}

// thumbnail makes a small picture of cells; points are [{ x, y, class, radius, wrong }].
export function thumbnail(map, { side = 1, size = 240, from, points = [], mark, label }) {
  const canvas = h('canvas', { width: size, height: size });
  paintCells(canvas.getContext('2d'), map, size, size, side, from);
  const svg = s('svg', { viewBox: '0 0 1000 1000' }, points.map((p) =>
    mark((p.x / side) * 1000, (1 - p.y / side) * 1000, p, p.radius, p.wrong)));
  return h('div', { class: 'thumb', role: 'img', 'aria-label': label }, canvas, svg);
}

// steps is the path of a function that is constant between edges, for scales of x and y.
export function steps(map, x, y) {
  return map.score.map((v, i) =>
    `${i ? 'L' : 'M'}${x(map.x[i]).toFixed(1)} ${y(v).toFixed(1)}H${x(map.x[i + 1]).toFixed(1)}`,
  ).join('');
}
