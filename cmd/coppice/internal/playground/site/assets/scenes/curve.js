// A curve: points of one column and a number, the function that a method fits, and its members.
import { board } from '../board.js';
import { chart, upTo } from '../chart.js';
import { card, h, number, s } from '../dom.js';
import { latest } from '../engine.js';
import { brushes, methodPanel, player, samplePanel } from '../lesson.js';
import { steps } from '../map.js';
import { sketch } from '../sketch.js';

export function mount(root, ask, choices) {
  const points = [];
  let answer;
  let shown = 0;
  let empty = true; // there is nothing to learn from

  const summary = h('p', { class: 'summary', role: 'status' });
  const note = h('p', { class: 'note', hidden: '' });
  const charts = h('div', { class: 'charts' });
  const members = h('div', { class: 'members' });
  const brush = brushes(false);
  const bar = player((size, last) => request(last ? 0 : size));
  const panel = methodPanel(choices.curves, 'gbm', (what) =>
    request(what === 'method' ? 0 : shown));
  const samples = samplePanel(ask, choices.shapes, true, 60, (drawn) => {
    points.splice(0, points.length, ...drawn);
    request(0);
  });
  const place = board({
    label: 'Points of a curve', points, brush: () => brush.value, height: 0.72,
    paint: (_, wide, tall, under) => {
      under.replaceChildren();
      if (!answer) return;
      const x = (v) => v * wide;
      const y = (v) => (1 - v) * tall;
      const adds = answer.unit === 'rounds';
      if (!adds) {
        under.append(...(answer.members ?? []).map((m) =>
          s('path', { class: 'function member', d: steps(m.map, x, y) })));
      }
      under.append(s('path', { class: 'function', d: steps(answer.map, x, y) }));
    },
    look: (p) => (p.test ? { radius: 0 } : { radius: 0.9 }),
    changed: () => request(shown),
  });

  const ready = latest(ask, 'curve', (a, q) => {
    if (empty) return; // the points were cleared meanwhile
    answer = a;
    note.hidden = true;
    bar.set(a);
    place.repaint();
    show(q.points);
  }, failed);

  function failed(text) {
    answer = undefined;
    empty = true;
    note.hidden = false;
    note.textContent = `${text[0].toUpperCase()}${text.slice(1)}.`;
    summary.replaceChildren();
    charts.replaceChildren();
    members.replaceChildren();
    members.parentElement.hidden = true;
    place.repaint();
  }

  function request(size) {
    shown = size;
    if (points.filter((p) => !p.test).length < 2) return failed('draw points on the board');
    empty = false;
    ready({ points: points.map(({ x, y, test }) => ({ x, y, test })), ...panel.request(),
      shown: size, seed: 1 });
  }

  function show(list) {
    const a = answer;
    summary.replaceChildren(figure(a.train[a.shown].toFixed(4), 'training error (mean square)'),
      a.test ? figure(a.test[a.shown].toFixed(4), 'test error') : '');
    charts.replaceChildren(errors(a), a.tree ? tree(a) : a.unit === 'rounds' ? rest(a, list) : '');
    members.parentElement.hidden = !a.members?.length;
    members.replaceChildren(...gallery(a));
  }

  function errors(a) {
    const curves = [{ name: 'training', x: a.sizes, y: a.train, kind: 'train' }];
    if (a.test) curves.push({ name: 'test', x: a.sizes, y: a.test, kind: 'test' });
    if (a.crossed) curves.push({ name: 'cross-validated', x: a.sizes, y: a.crossed, kind: 'crossed' });
    return chart({
      title: 'Error after each step', curves,
      x: { label: a.unit, least: a.sizes.length > 1 ? a.sizes[0] : 0, most: a.sizes.at(-1) },
      y: { label: 'mean squared error', ...upTo(curves.flatMap((c) => c.y), 0.001) },
      label: `Error against ${a.unit}: training ${number(a.train[a.shown])} at ${a.sizes[a.shown]}`,
      draw: ({ x, top, bottom, inside }) => {
        const at = x(a.sizes[a.shown]);
        inside.append(s('line', { class: 'now', x1: at, x2: at, y1: top, y2: bottom }));
      },
      place: (v) => {
        bar.stop();
        request(Math.max(1, Math.round(v)));
      },
    });
  }

  root.append(
    card('', 'stage', h('div', { class: 'tools' }, brush.element), place.element, bar.element, note),
    card('', 'panel', panel.element, summary, charts),
    card('Points', 'source', samples.element),
    card('The trees, one by one', 'gallery', h('p', { class: 'about' },
      'The last trees up to this step: of bagging each is a curve of its own, of boosting each ' +
      'adds a correction.'), members),
  );
  samples.draw();
}

const figure = (value, name) => h('span', { class: 'figure' }, h('strong', {}, value), ' ', name);

// rest draws what the sum so far leaves over, which is what the next tree is fitted to.
function rest(a, points) {
  const left = points.map((p, i) => ({ x: p.x, y: p.y - a.scores[i], test: p.test }))
    .filter((p) => !p.test);
  const most = Math.max(0.05, ...left.map((p) => Math.abs(p.y))) * 1.1;
  return chart({
    title: 'What is left over: the next tree is fitted to it', tall: 220,
    label: `Residuals, of at most ${number(most / 1.1)}`,
    x: { label: 'x', least: 0, most: 1 }, y: { label: 'residual', least: -most, most },
    draw: ({ x, y, left: from, right, inside }) => {
      inside.append(s('line', { class: 'axis', x1: from, x2: right, y1: y(0), y2: y(0) }),
        ...left.map((p) => s('circle', { class: 'rest', cx: x(p.x), cy: y(p.y), r: 3.5 })));
    },
  });
}

// gallery draws the functions of single trees.
function gallery(a) {
  const all = (a.members ?? []).flatMap((m) => m.map.score);
  const adds = a.unit === 'rounds';
  const most = Math.max(1e-6, ...all.map(Math.abs)) * 1.1;
  const [low, high] = adds ? [-most, most] : [0, 1];
  return (a.members ?? []).map((m) => {
    const y = (v) => 160 - ((v - low) / (high - low)) * 160;
    return h('figure', {}, s('svg', { class: 'thumb wide', viewBox: '0 0 240 160', role: 'img',
      'aria-label': `The function of tree ${m.number}` },
    s('line', { class: 'axis', x1: 0, x2: 240, y1: y(0), y2: y(0) }),
    s('path', { class: 'function', d: steps(m.map, (v) => v * 240, y) })),
    h('figcaption', {}, String(m.number)));
  });
}

function tree(a) {
  return h('figure', {}, h('figcaption', {}, 'The tree: "yes" goes left'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The tree' },
      sketch(a.tree, false)));
}
