// Bias and variance: one method on many training sets of one curve.
import { chart, upTo } from '../chart.js';
import { card, h, number, s, select, slider } from '../dom.js';
import { latest } from '../engine.js';
import { methodPanel } from '../lesson.js';

export function mount(root, ask, choices) {
  let size = 0;
  let answer;
  const methods = choices.curves.filter((m) => m.name !== 'pruned').map((m) =>
    (m.unit === 'leaves' ? { ...m, knobs: m.knobs.filter((k) => k.name !== 'depth') } : m));
  const summary = h('p', { class: 'summary', role: 'status' });
  const note = h('p', { class: 'note', hidden: '' });
  const left = h('div', { class: 'charts' });
  const right = h('div', { class: 'charts' });
  const panel = methodPanel(methods, 'tree', () => {
    size = 0;
    request();
  });
  const shape = select('Curve', choices.shapes.map((x) => ({ value: x.name, title: x.title })), 'wave',
    () => request());
  const noise = slider({ label: 'noise', least: 0, most: 1, step: 0.05, value: 0.4,
    read: (v) => v.toFixed(2) }, () => request());
  const rows = slider({ label: 'points in a training set', least: 10, most: 200, step: 10,
    value: 50 }, () => request());
  const at = slider({ label: 'depth', least: 0, most: 9, step: 1, value: 9,
    read: (v) => String(answer?.sizes[v] ?? '') }, (v) => {
    size = answer.sizes[v];
    request();
  });
  const ready = latest(ask, 'bias', (a) => {
    answer = a;
    note.hidden = true;
    at.element.querySelector('label').textContent = a.unit === 'leaves' ? 'depth of the trees'
      : 'trees';
    at.set(a.shown, a.sizes.length - 1);
    show();
  }, (text) => {
    note.hidden = false;
    note.textContent = text;
  });
  const request = () => ready({ shape: shape.value, noise: noise.value, rows: rows.value,
    ...panel.request(), shown: size, seed: 1 });

  function show() {
    const a = answer;
    const [bias, variance] = [a.bias[a.shown], a.variance[a.shown]];
    summary.replaceChildren(figure(bias.toFixed(4), 'bias²', 'bias'),
      figure(variance.toFixed(4), 'variance', 'variance'), figure(a.noise.toFixed(4), 'noise', 'noise'),
      figure((bias + variance + a.noise).toFixed(4), 'expected error', ''));
    left.replaceChildren(chart({
      title: 'One curve for each training set', tall: 360,
      label: `Predictions of ${a.curves.length} training sets, their mean and the truth`,
      x: { label: 'x', least: 0, most: 1 }, y: { label: 'y', least: -0.1, most: 1.1 },
      curves: [...a.curves.map((y, i) => ({ name: i ? '' : 'one training set', x: a.x, y,
        kind: 'single' })),
      { name: 'mean of 25 sets', x: a.x, y: a.mean, kind: 'mean' },
      { name: 'truth', x: a.x, y: a.truth, kind: 'truth' }],
      draw: ({ x, y, inside }) => inside.prepend(...a.points.map((p) =>
        s('circle', { class: 'rest', cx: x(p.x), cy: y(p.y), r: 3 }))),
    }));
    const total = a.bias.map((b, i) => b + a.variance[i] + a.noise);
    const curves = [
      { name: 'expected error', x: a.sizes, y: total, kind: 'total' },
      { name: 'bias²', x: a.sizes, y: a.bias, kind: 'bias' },
      { name: 'variance', x: a.sizes, y: a.variance, kind: 'variance' },
      { name: 'noise', x: a.sizes, y: a.sizes.map(() => a.noise), kind: 'noise' }];
    const unit = a.unit === 'leaves' ? 'depth of the trees' : 'trees';
    right.replaceChildren(chart({
      title: 'Where the error comes from', tall: 360, curves,
      label: `Bias ${number(bias)} and variance ${number(variance)} at ${a.sizes[a.shown]} ${unit}`,
      x: { label: unit, least: a.sizes[0], most: Math.max(2, a.sizes.at(-1)) },
      y: { label: 'mean squared error', ...upTo(total, 0.005) },
      draw: ({ x, top, bottom, inside }) => {
        const here = x(a.sizes[a.shown]);
        inside.append(s('line', { class: 'now', x1: here, x2: here, y1: top, y2: bottom }));
      },
      place: (v) => {
        size = Math.max(1, Math.round(v));
        request();
      },
    }));
  }

  root.append(
    card('', 'wide', h('div', { class: 'columns' }, panel.element,
      h('div', { class: 'samples' }, shape.element, noise.element, rows.element, at.element)), summary,
    note),
    card('', 'half', left), card('', 'half', right),
  );
  request();
}

const figure = (value, name, kind) =>
  h('span', { class: `figure ${kind}` }, h('strong', {}, value), ' ', name);
