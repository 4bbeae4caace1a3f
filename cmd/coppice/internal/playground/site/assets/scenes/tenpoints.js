// AdaBoost on ten points, step by step: weights, the stump, its vote, the new weights, the final
// vote of all stumps.
import { mark } from '../board.js';
import { chart, upTo } from '../chart.js';
import { button, card, h, number, s, segments } from '../dom.js';
import { latest } from '../engine.js';
import { paintCells, thumbnail } from '../map.js';

const side = 11;
const area = 1.05; // radius of a point of mean weight

export function mount(root, ask) {
  let answer;
  let stage = 0; // three for each round, and a last one
  let classes;

  const canvas = h('canvas', { width: 1000, height: 1000, 'aria-hidden': 'true' });
  const marks = s('svg', { viewBox: '0 0 1000 1000' });
  const view = h('div', { class: 'board ten' }, canvas, marks);
  const title = h('h2', { class: 'step' });
  const text = h('div', { class: 'words', 'aria-live': 'polite' });
  const dots = h('ol', { class: 'dots', 'aria-label': 'Steps' });
  const row = h('div', { class: 'members' });
  const charts = h('div', { class: 'charts' });
  const back = button('‹ Back', () => go(stage - 1));
  const next = button('Next ›', () => go(stage + 1), { class: 'main' });
  const rounds = segments('Rounds', [3, 4, 5, 6, 8].map((n) => ({ value: n, title: `${n}` })), 3,
    () => request());

  const ready = latest(ask, 'ten-points', (a) => {
    answer = a;
    go(Math.min(stage, last()));
  }, (message) => {
    text.replaceChildren(h('p', { class: 'note' }, `${message}.`));
  });
  const request = () => ready({ classes: classes ?? [], rounds: rounds.value });
  const last = () => answer.rounds.length * 3;
  const weight = (w) => Math.sqrt(w * 10) * area;

  function go(to) {
    stage = Math.min(last(), Math.max(0, to));
    const n = Math.min(answer.rounds.length - 1, Math.floor(stage / 3));
    const kind = stage === last() ? 'final' : ['weights', 'stump', 'after'][stage % 3];
    const r = answer.rounds[n];
    back.disabled = stage === 0;
    next.disabled = stage === last();
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, 1000, 1000);
    if (kind === 'final') paintCells(context, r.vote, 1000, 1000, side);
    else if (kind !== 'weights') paintCells(context, r.stump, 1000, 1000, side);
    const sizes = kind === 'final' ? undefined : kind === 'after' ? r.after : r.weights;
    marks.replaceChildren(...answer.points.map((p, i) => {
      const wrong = kind === 'final' ? (r.scores[i] > 0.5) !== (p.class === 1)
        : kind !== 'weights' && r.wrong[i];
      const shape = mark((p.x / side) * 1000, (1 - p.y / side) * 1000, p,
        2.2 * (sizes ? weight(sizes[i]) : 1), wrong);
      shape.setAttribute('role', 'button');
      shape.setAttribute('tabindex', '0');
      shape.setAttribute('aria-label', `Point ${i + 1}, ${p.class ? 'orange' : 'blue'}` +
        `${sizes ? `, weight ${number(sizes[i])}` : ''}${wrong ? ', wrong' : ''}: change its class`);
      const flip = () => {
        classes = answer.points.map((q, k) => (k === i ? 1 - q.class : q.class));
        request().then(() => marks.children[i]?.focus());
      };
      shape.addEventListener('click', flip);
      shape.addEventListener('keydown', (e) => {
        if (e.key !== 'Enter' && e.key !== ' ') return;
        e.preventDefault();
        flip();
      });
      return shape;
    }));
    const [head, ...words] = explain(kind, n, r, answer);
    title.textContent = head;
    text.replaceChildren(...words);
    dots.replaceChildren(...Array.from({ length: last() + 1 }, (_, i) =>
      h('li', { class: `${i === stage ? 'now' : ''}${i % 3 === 0 ? ' first' : ''}` })));
    gallery(kind === 'final' ? answer.rounds.length : kind === 'weights' ? n : n + 1);
  }

  // gallery is the famous row: the stumps, and their vote.
  function gallery(done) {
    const stumps = answer.rounds.map((r, i) => h('figure', { class: i < done ? '' : 'waiting' },
      thumbnail(r.stump, { side, mark, label: `Stump ${i + 1}`,
        points: answer.points.map((p, k) => ({ ...p, radius: 2.4 * weight(r.weights[k]),
          wrong: r.wrong[k] })) }),
      h('figcaption', {}, `f${sub(i + 1)}`, i < done ? h('span', {}, `, α = ${number(r.alpha, 2)}`) : '')));
    const end = answer.rounds.at(-1);
    row.replaceChildren(...stumps, h('figure', { class: done === answer.rounds.length ? '' : 'waiting' },
      thumbnail(end.vote, { side, mark, label: 'The vote of all stumps',
        points: answer.points.map((p) => ({ ...p, radius: 2.4 })) }),
      h('figcaption', {}, 'final vote')));
    const x = answer.rounds.map((_, i) => i + 1);
    const curves = [
      { name: 'training error', x, y: answer.rounds.map((r) => r.train), kind: 'train' },
      { name: 'its bound, the product of 2√(ε(1 − ε))', x, y: answer.rounds.map((r) => r.bound),
        kind: 'bound' },
      { name: 'weighted error ε of the stump', x, y: answer.rounds.map((r) => r.error),
        kind: 'test' }];
    charts.replaceChildren(chart({ title: 'Errors by round', curves, tall: 230,
      x: { label: 'round', least: 1, most: Math.max(2, x.length), read: (v) =>
        (Number.isInteger(v) ? String(v) : '') },
      y: { label: 'fraction', ...upTo(curves.flatMap((c) => c.y)) } }));
  }

  root.append(
    card('', 'stage', view, h('p', { class: 'about' }, 'Press a point to change its class.')),
    card('', 'panel', title, text, dots, h('div', { class: 'tools' }, back, next,
      button('Textbook', () => {
        classes = undefined;
        stage = 0;
        rounds.set(3);
        request();
      }), h('span', { class: 'label' }, 'rounds'), rounds.element), charts),
    card('The row of pictures', 'gallery',
      h('p', { class: 'about' }, 'A stump appears when the steps above reach it. Larger points ' +
        'weigh more; a dark edge marks a wrong one.'), row),
  );
  addEventListener('keydown', (e) => {
    if (root.hidden || e.target.closest?.('input, select, .board')) return;
    if (e.key === 'ArrowRight') go(stage + 1);
    if (e.key === 'ArrowLeft') go(stage - 1);
  });
  request();
}

const sub = (n) => String(n).replace(/\d/g, (d) => '₀₁₂₃₄₅₆₇₈₉'[d]);

const formula = (...parts) => h('p', { class: 'formula' }, parts);

// explain returns a heading and paragraphs.
function explain(kind, n, r, answer) {
  const k = sub(n + 1);
  const wrong = r.wrong.filter(Boolean).length;
  const column = r.column ? 'y' : 'x';
  switch (kind) {
    case 'weights':
      return [`Round ${n + 1}: the weights`,
        h('p', {}, n === 0
          ? 'At the start all ten points weigh the same.'
          : 'The size of a point is its weight: those that the stump before got wrong have half ' +
            'of all weight together.'),
        formula(`w = ${weights(r.weights)}`)];
    case 'stump':
      return [`Round ${n + 1}: the best stump`,
        h('p', {}, `Of all splits, ${column} at ${number(r.split)} has the least weight of wrong ` +
          `points. It gets ${wrong} wrong, which are ringed.`),
        formula(`ε${k} = ${number(r.error, 4)}`),
        formula(`α${k} = ½ ln((1 − ε) / ε) = ${number(r.alpha, 4)}`)];
    case 'after':
      return [`Round ${n + 1}: new weights`,
        h('p', {}, 'Wrong points are multiplied by e', h('sup', {}, 'α'), ', right ones by e',
          h('sup', {}, '−α'), '; then all are divided by their sum. To these weights the stump ' +
          'is no better than a coin: the next one must find something new.'),
        formula('e', h('sup', {}, 'α'), ` = ${number(Math.exp(r.alpha), 3)}, e`,
          h('sup', {}, '−α'), ` = ${number(Math.exp(-r.alpha), 3)}`),
        formula(`w = ${weights(r.after)}`)];
    default:
      return [`The vote of ${answer.rounds.length} stumps`,
        h('p', {}, r.train === 0
          ? 'No stump separates the points, but their weighted vote gets all ten right.'
          : `The weighted vote gets ${Math.round(r.train * 10)} of ten points wrong.`),
        formula(`F = sign(${answer.rounds.map((q, i) => `${number(q.alpha, 2)} f${sub(i + 1)}`)
          .join(' + ')})`),
        formula(`training error ${number(r.train, 2)} ≤ ${number(r.bound, 3)}`),
        answer.stopped ? h('p', { class: 'note' }, `Training ended: ${answer.stopped}.`) : ''];
  }
}

const weights = (list) => list.map((w) => number(w, 2)).join(', ');
