// Two classes in the plane: points, a method, and all that is to see of its training.
import { board, mark } from '../board.js';
import { chart, upTo } from '../chart.js';
import { card, h, number, percent, s, toggle } from '../dom.js';
import { latest } from '../engine.js';
import { brushes, methodPanel, player, samplePanel } from '../lesson.js';
import { centred, paintCells, thumbnail } from '../map.js';
import { sketch } from '../sketch.js';

export function mount(root, ask, choices) {
  const points = [];
  let answer;
  let rows = []; // numbers of the training points
  let shown = 0;
  let asked = []; // the points of the answer
  let empty = true; // there is nothing to learn from

  const summary = h('p', { class: 'summary', role: 'status' });
  const note = h('p', { class: 'note', hidden: '' });
  const sized = toggle('size points by weight', true, () => place.draw());
  const tested = toggle('show test points', false, () => place.draw());
  const brush = brushes(true);
  const charts = h('div', { class: 'charts' });
  const members = h('div', { class: 'members' });
  const bar = player((size, last) => request(last ? 0 : size));
  const panel = methodPanel(choices.methods, 'adaboost', (what) =>
    request(what === 'method' ? 0 : shown));
  const samples = samplePanel(ask, choices.samples, false, 120, (drawn) => {
    points.splice(0, points.length, ...drawn);
    request(0);
  });

  const place = board({
    label: 'Points of two classes', points, brush: () => brush.value,
    paint: (context, wide, tall) => answer && paintCells(context, answer.map, wide, tall),
    look: (p, i) => {
      if (p.test && !tested.value) return { radius: 0 };
      const score = answer?.scores[i];
      const wrong = score !== undefined && (score > 0.5) !== (p.class === 1);
      const w = sized.value && answer?.weights ? answer.weights[rows.indexOf(i)] : undefined;
      return { wrong: wrong && !p.test, radius: w === undefined ? 1 : radius(w) };
    },
    changed: () => request(shown),
  });

  const ready = latest(ask, 'plane', (a, q) => {
    if (empty) return; // the points were cleared meanwhile
    answer = a;
    asked = q.points;
    rows = q.points.map((p, i) => (p.test ? -1 : i)).filter((i) => i >= 0);
    note.hidden = !a.note;
    note.textContent = a.note ? `Training ended: ${a.note}.` : '';
    bar.set(a);
    place.repaint();
    show();
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
    const seen = new Set(points.filter((p) => !p.test).map((p) => p.class));
    if (seen.size < 2) return failed('draw points of both colours on the board');
    empty = false;
    const list = points.map(({ x, y, class: c, test }) => ({ x, y, class: c, test }));
    ready({ points: list, ...panel.request(), shown: size, seed: 1 });
  }

  function show() {
    const a = answer;
    const [train, test] = [a.train[a.shown], a.test?.[a.shown]];
    summary.replaceChildren(figure(percent(train), 'training error'),
      test === undefined ? '' : figure(percent(test), 'test error'),
      a.margins ? figure(number(a.margins[0], 2), 'least margin') : '');
    charts.replaceChildren(errors(a), a.margins ? margins(a) : tree(a));
    sized.element.hidden = !a.weights;
    members.replaceChildren(...gallery(a, rows.map((i) => asked[i])));
    members.parentElement.hidden = !a.members?.length;
  }

  function errors(a) {
    const curves = [{ name: 'training', x: a.sizes, y: a.train, kind: 'train' }];
    if (a.test) curves.push({ name: 'test', x: a.sizes, y: a.test, kind: 'test' });
    if (a.crossed) curves.push({ name: 'cross-validated', x: a.sizes, y: a.crossed, kind: 'crossed' });
    const x = { label: a.unit, least: a.sizes.length > 1 ? a.sizes[0] : 0, most: a.sizes.at(-1) };
    return chart({
      title: 'Error after each step', curves, x,
      y: { label: 'error', read: (v) => `${Math.round(v * 100)} %`,
        ...upTo(curves.flatMap((c) => c.y)) },
      label: `Error against ${a.unit}: training ${percent(a.train[a.shown])}` +
        (a.test ? `, test ${percent(a.test[a.shown])}` : '') + ` at ${a.sizes[a.shown]}`,
      draw: ({ x: sx, top, bottom, inside }) => {
        const at = sx(a.sizes[a.shown]);
        inside.append(s('line', { class: 'now', x1: at, x2: at, y1: top, y2: bottom }));
      },
      place: (v) => {
        bar.stop();
        request(Math.max(1, Math.round(v)));
      },
    });
  }

  root.append(
    card('', 'stage', h('div', { class: 'tools' }, brush.element, tested.element, sized.element),
      place.element, bar.element, note),
    card('', 'panel', panel.element, summary, charts),
    card('Points', 'source', samples.element),
    card('The trees, one by one', 'gallery',
      h('p', { class: 'about' }, 'The last trees up to this step. Larger points count more in the ' +
        'training of that tree.'), members),
  );
  samples.draw();
}

// radius makes the area of a point follow its weight, within what can be seen.
const radius = (w) => Math.min(2.4, Math.max(0.35, Math.sqrt(w)));

const figure = (value, name) => h('span', { class: 'figure' }, h('strong', {}, value), ' ', name);

// gallery shows the members with the points as they were weighted for them.
function gallery(a, points) {
  const adds = a.unit === 'rounds' && a.members?.[0]?.map.score.some((v) => v < 0 || v > 1);
  return (a.members ?? []).map((m) => {
    const marks = points.map((p, i) => ({ ...p, radius: 1.15 * radius(m.weights?.[i] ?? 0.5) }));
    const from = adds || signed(m.map) ? centred(m.map) : undefined;
    const vote = a.weights && !signed(m.map) && a.unit === 'rounds'
      ? `, vote ${number(m.weight, 3)}` : '';
    return h('figure', {}, thumbnail(m.map, { points: marks, mark, from,
      label: `What tree ${m.number} predicts of the plane` }),
    h('figcaption', {}, `${m.number}`, h('span', {}, vote)));
  });
}

const signed = (map) => map.score.some((v) => v < 0);

// margins draws the fraction of training points with at most a margin.
function margins(a) {
  const n = a.margins.length;
  const x = [-1];
  const y = [0];
  a.margins.forEach((m, i) => {
    x.push(m, m);
    y.push(i / n, (i + 1) / n);
  });
  x.push(1);
  y.push(1);
  const wrong = a.margins.filter((m) => m <= 0).length / n;
  return chart({
    title: 'Margins of the training points', tall: 220,
    label: `Distribution of margins: ${percent(wrong)} of the points have none above 0`,
    x: { label: 'margin', least: -1, most: 1 },
    y: { label: 'points up to it', least: 0, most: 1.04, read: (v) => `${Math.round(v * 100)} %` },
    curves: [{ x, y, kind: 'margin' }],
    draw: ({ x: sx, top, bottom, inside }) =>
      inside.prepend(s('rect', { class: 'wrong-side', x: sx(-1), width: sx(0) - sx(-1), y: top,
        height: bottom - top })),
  });
}

// tree draws a single tree, where it is small enough.
function tree(a) {
  const content = a.tree
    ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The tree' },
      sketch(a.tree, true))
    : h('p', { class: 'about' }, `The tree has ${a.sizes[a.shown]} leaves: go back to a smaller ` +
      'one to see it drawn.');
  return h('figure', {}, h('figcaption', {}, 'The tree: "yes" goes left'), content);
}
