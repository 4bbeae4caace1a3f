// The drawing board: a square, or a strip, on which points are placed, moved and removed by mouse,
// finger and keyboard. Below the points lies a picture that the scene draws.
import { h, s } from './dom.js';

const near = 0.025; // distance within which a point is meant

// board makes a board. Options:
//   label      what it is, for screen readers
//   points     the list of { x, y, class, test }, which the board changes
//   brush()    'blue', 'orange' or 'erase'; boards without classes have 'draw' in place of colours
//   paint(canvas, size)   draws what lies below the points
//   look(point, i) -> { radius, wrong }
//   changed()  is called after each change
//   lanes      points have no y of their own: class 0 lies low, class 1 high
//   height     of the board, as a fraction of its width
export function board({ label, points, brush, paint, look, changed, lanes = false, height = 1 }) {
  const size = 1000;
  const tall = size * height;
  const canvas = h('canvas', { width: size, height: tall, 'aria-hidden': 'true' });
  const under = s('g');
  const marks = s('g');
  const cross = s('g', { class: 'cross' },
    s('path', { d: 'M-30 0H-10M10 0H30M0 -30V-10M0 10V30' }), s('circle', { r: 16 }));
  const svg = s('svg', { viewBox: `0 0 ${size} ${tall}`, 'aria-hidden': 'true' }, under, marks, cross);
  const status = h('p', { class: 'hidden', role: 'status' });
  const element = h('div', {
    class: `board${lanes ? ' strip' : ''}`, tabindex: '0', role: 'application', 'aria-label':
      `${label}. Arrow keys move the cross, Enter places a point of the chosen colour, ` +
      'Delete removes the nearest point.',
    'aria-roledescription': 'drawing board',
  }, canvas, svg);
  const at = { x: 0.5, y: 0.5 };
  const lane = (p) => (lanes ? (p.class ? 0.68 : 0.32) : p.y);
  const place = (x, y) => [x * size, (1 - y) * tall];

  function draw() {
    const [cx, cy] = place(at.x, at.y);
    cross.setAttribute('transform', `translate(${cx} ${cy})`);
    const small = Math.min(1.5, Math.max(0.6, 500 / (element.clientWidth || 500)));
    marks.replaceChildren(...points.map((p, i) => {
      const { radius = 1, wrong = false } = look?.(p, i) ?? {};
      const [x, y] = place(p.x, lane(p));
      return mark(x, y, p, small * radius, wrong);
    }));
  }

  function repaint() {
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, size, tall);
    paint?.(context, size, tall, under);
    draw();
  }

  // nearest returns the number of the nearest training point within reach, -1 if there is none.
  function nearest(x, y, reach = near) {
    let best = -1;
    let least = reach;
    points.forEach((p, i) => {
      const d = Math.hypot(p.x - x, (lane(p) - y) * height);
      if (!p.test && d < least) [best, least] = [i, d];
    });
    return best;
  }

  const clamp = (v) => Math.min(0.995, Math.max(0.005, v));
  const round = (v) => Math.round(clamp(v) * 1000) / 1000;

  function add(x, y, kind) {
    points.push({ x: round(x), y: round(y), class: kind === 'orange' ? 1 : 0 });
    changed();
    draw();
  }

  function remove(i) {
    points.splice(i, 1);
    changed();
    draw();
  }

  function say(what) {
    status.textContent = `${what} at ${at.x.toFixed(2)}, ${at.y.toFixed(2)}; ` +
      `${points.filter((p) => !p.test).length} points`;
  }

  // Mouse and finger: a press on a point moves it, elsewhere it draws points along its way.
  let held = -1;
  let last;
  const where = (e) => {
    const box = element.getBoundingClientRect();
    return [(e.clientX - box.left) / box.width, 1 - (e.clientY - box.top) / box.height];
  };
  element.addEventListener('pointerdown', (e) => {
    if (e.button > 0) return;
    const [x, y] = where(e);
    [at.x, at.y] = [x, y];
    const i = nearest(x, y);
    last = [x, y];
    element.setPointerCapture(e.pointerId);
    if (brush() === 'erase') {
      held = -2;
      if (i >= 0) remove(i);
    } else if (i >= 0) {
      held = i;
    } else {
      held = -3;
      add(x, y, brush());
    }
  });
  element.addEventListener('pointermove', (e) => {
    if (!last) return;
    const [x, y] = where(e);
    if (held >= 0 && points[held]) {
      points[held].x = round(x);
      if (!lanes) points[held].y = round(y);
      changed();
      draw();
    } else if (held === -2) {
      const i = nearest(x, y, 0.04);
      if (i >= 0) remove(i);
    } else if (held === -3 && Math.hypot(x - last[0], (y - last[1]) * height) > 0.05) {
      last = [x, y];
      add(x, y, brush());
    }
  });
  const release = () => {
    last = undefined;
    held = -1;
  };
  element.addEventListener('pointerup', release);
  element.addEventListener('pointercancel', release);

  element.addEventListener('keydown', (e) => {
    const step = e.shiftKey ? 0.01 : 0.05;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step],
      ArrowDown: [0, -step] };
    if (moves[e.key]) {
      at.x = clamp(at.x + moves[e.key][0]);
      at.y = clamp(at.y + moves[e.key][1]);
      const i = nearest(at.x, at.y);
      say(i < 0 ? 'nothing' : points[i].class ? 'orange point' : 'blue point');
      draw();
    } else if (e.key === 'Enter' || e.key === ' ') {
      if (brush() === 'erase') {
        const i = nearest(at.x, at.y, 0.1);
        if (i >= 0) remove(i);
        say(i < 0 ? 'no point to remove' : 'point removed');
      } else {
        add(at.x, at.y, brush());
        say('point placed');
      }
    } else if (e.key === 'Delete' || e.key === 'Backspace') {
      const i = nearest(at.x, at.y, 2);
      if (i >= 0) remove(i);
      say(i < 0 ? 'no point to remove' : 'nearest point removed');
    } else {
      return;
    }
    e.preventDefault();
  });
  document.addEventListener('recolour', repaint);
  new ResizeObserver(draw).observe(element);
  return { element: h('div', {}, element, status), draw, repaint };
}

// mark draws a point: class 0 is a circle, class 1 a square, test points are small and hollow.
export function mark(x, y, p, radius = 1, wrong = false) {
  const kind = `mark c${p.class ?? 0}${p.test ? ' test' : ''}${wrong ? ' wrong' : ''}`;
  const r = (p.test ? 7 : 12) * radius;
  if (p.class === 1) {
    const side = r * 1.8;
    return s('rect', { class: kind, x: x - side / 2, y: y - side / 2, width: side, height: side,
      rx: side / 6 });
  }
  return s('circle', { class: kind, cx: x, cy: y, r });
}
