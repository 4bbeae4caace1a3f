// Impurity: points on a line, a threshold, and the gain of the split by three impurities.
import { board } from '../board.js';
import { chart, upTo } from '../chart.js';
import { button, card, h, number, s, segments, slider } from '../dom.js';
import { latest } from '../engine.js';
import { brushes } from '../lesson.js';

const start = [[0.07, 0], [0.13, 0], [0.2, 0], [0.27, 1], [0.32, 0], [0.4, 0], [0.46, 1], [0.55, 1],
  [0.6, 0], [0.66, 1], [0.74, 1], [0.82, 1], [0.88, 1], [0.94, 1]];
const names = { gini: 'Gini index', entropy: 'entropy', misclassification: 'misclassification' };

export function mount(root, ask, choices) {
  const points = start.map(([x, c]) => ({ x, y: 0.5, class: c }));
  let answer;
  const summary = h('p', { class: 'summary', role: 'status' });
  const counts = h('div', { class: 'counts' });
  const left = h('div', { class: 'charts' });
  const right = h('div', { class: 'charts' });
  const brush = brushes(true);
  const threshold = slider({ label: 'threshold', least: 0, most: 1, step: 0.005, value: 0.5,
    read: (v) => v.toFixed(2) }, () => show());
  const kind = segments('Impurity', choices.impurity.map((name) => ({ value: name,
    title: names[name][0].toUpperCase() + names[name].slice(1) })), choices.impurity[0], () => show());
  const line = board({
    label: 'Points on a line', points, brush: () => brush.value, lanes: true, height: 0.2,
    paint: (_, wide, tall, under) => under.replaceChildren(
      s('rect', { class: 'side', x: 0, y: 0, width: threshold.value * wide, height: tall }),
      s('line', { class: 'threshold', x1: threshold.value * wide, x2: threshold.value * wide, y1: 0,
        y2: tall })),
    changed: () => request(),
  });

  const ready = latest(ask, 'impurity', (a) => {
    answer = a;
    show();
  }, (text) => summary.replaceChildren(text));
  const request = () => ready({ points: points.map(({ x, class: c }) => ({ x, class: c })) });

  function show() {
    line.repaint();
    const k = choices.impurity.indexOf(kind.value);
    const curve = answer.curves[k];
    const at = threshold.value;
    // points lie on the same sides of all thresholds between two neighbours
    const split = answer.splits.reduce((best, one) =>
      (!best || Math.abs(one.point - at) < Math.abs(best.point - at) ? one : best), undefined);
    const [l, r] = sides(points, at);
    const whole = [0, 1].map((c) => l[c] + r[c]);
    counts.replaceChildren(box('left', l), box('all', whole), box('right', r));
    const exact = split && split.left.every((v, c) => v === l[c]) ? split : undefined;
    const gain = exact ? exact.gain[k] : 0;
    const best = answer.splits[curve.best];
    summary.replaceChildren(
      h('span', { class: 'figure' }, h('strong', {}, number(gain)), ' gain by ', names[kind.value]),
      best ? h('span', { class: 'figure' }, h('strong', {}, best.point.toFixed(2)), ' best threshold')
        : '');
    left.replaceChildren(curves(curve, whole, l, r, exact, k));
    right.replaceChildren(gains(k, at));
  }

  // curves draws the impurities over the fraction of orange points, with the children on theirs. The
  // mean of two points of a curve lies on the line between them: the gap below the curve is the gain.
  function curves(chosen, whole, l, r, split, k) {
    const x = chosen.value.map((_, i) => i / (chosen.value.length - 1));
    const part = ([a, b]) => (a + b ? b / (a + b) : 0);
    const marks = ({ x: sx, y: sy, inside }) => {
      if (!split) return;
      const [pl, pr, p] = [part(l), part(r), part(whole)];
      const [il, ir] = split.child[k];
      const mean = chosen.root - split.gain[k];
      inside.append(
        s('line', { class: 'chord', x1: sx(pl), y1: sy(il), x2: sx(pr), y2: sy(ir) }),
        s('line', { class: 'gap', x1: sx(p), y1: sy(chosen.root), x2: sx(p), y2: sy(mean) }),
        s('circle', { class: 'node', cx: sx(pl), cy: sy(il), r: 6 }),
        s('circle', { class: 'node', cx: sx(pr), cy: sy(ir), r: 6 }),
        s('circle', { class: 'node all', cx: sx(p), cy: sy(chosen.root), r: 6 }),
        label(sx(pl), sy(il), 'left', pl), label(sx(pr), sy(ir), 'right', pr));
    };
    return chart({
      title: 'Impurity of a node: the thick bar is the gain', tall: 330,
      label: `Impurity curves; the gain of the split is ${number(split?.gain[k] ?? 0)}`,
      x: { label: 'fraction of orange points', least: 0, most: 1 },
      y: { label: 'impurity', least: 0, most: 1.08 },
      curves: answer.curves.map((c, i) => ({ name: names[c.name], x, y: c.value,
        kind: `impurity${i}${i === k ? ' chosen' : ''}` })),
      draw: marks,
    });
  }

  function gains(k, at) {
    const x = answer.splits.map((one) => one.point);
    const all = answer.curves.map((c, i) => ({ name: names[c.name], x,
      y: answer.splits.map((one) => one.gain[i]), kind: `impurity${i}${i === k ? ' chosen' : ''}` }));
    return chart({
      title: 'Gain of each threshold', tall: 330, curves: all,
      label: 'Gain against the threshold',
      x: { label: 'threshold', least: 0, most: 1 },
      y: { label: 'gain', ...upTo(all.flatMap((c) => c.y)) },
      draw: ({ x: sx, y: sy, top, bottom, inside }) => {
        inside.append(s('line', { class: 'now', x1: sx(at), x2: sx(at), y1: top, y2: bottom }));
        const b = answer.splits[answer.curves[k].best];
        if (b) inside.append(s('circle', { class: 'node', cx: sx(b.point), cy: sy(b.gain[k]), r: 6 }));
      },
      place: (v) => {
        threshold.set(Math.min(1, Math.max(0, v)));
        show();
      },
    });
  }

  root.append(
    card('', 'wide', h('div', { class: 'tools' }, brush.element, kind.element,
      button('Best threshold', () => {
        const best = answer.splits[answer.curves[choices.impurity.indexOf(kind.value)].best];
        if (best) threshold.set(best.point);
        show();
      }), button('Clear', () => {
        points.length = 0;
        request();
      })), line.element, h('div', { class: 'under' }, threshold.element), counts, summary),
    card('', 'half', left), card('', 'half', right),
  );
  request();
}

// sides counts the points of each class on both sides of a threshold.
function sides(points, at) {
  const found = [[0, 0], [0, 0]];
  for (const p of points) found[p.x <= at ? 0 : 1][p.class] += 1;
  return found;
}

// box shows the counts of a node as a bar of two colours.
function box(name, [a, b]) {
  const part = a + b ? (100 * a) / (a + b) : 0;
  return h('div', { class: 'count' }, h('span', {}, `${name}: ${a} blue, ${b} orange`),
    s('svg', { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      s('rect', { class: 'c0', x: 0, y: 0, width: part, height: 8 }),
      s('rect', { class: 'c1', x: part, y: 0, width: a + b ? 100 - part : 0, height: 8 })));
}

function label(x, y, text, part) {
  return s('text', { x: x + (part > 0.8 ? -10 : 10), y: y + 18, class: 'strong',
    'text-anchor': part > 0.8 ? 'end' : 'start' }, text);
}
