// What the scenes of drawn points have in common: the method with its settings, samples, the brush,
// and the bar that goes through the steps of a training.
import { button, h, number, segments, select, slider } from './dom.js';

// methodPanel shows the methods and the settings of the chosen one. It returns { element, request }.
export function methodPanel(methods, first, changed) {
  const about = h('p', { class: 'about' });
  const knobs = h('div', { class: 'knobs' });
  const values = {};
  let method;
  const choose = (name) => {
    method = methods.find((m) => m.name === name);
    about.textContent = method.about;
    values[name] ??= Object.fromEntries(method.knobs.map((k) => [k.name, k.default]));
    knobs.replaceChildren(...method.knobs.map((k) =>
      slider({ ...k, value: values[name][k.name], read: (v) => number(v, 2 + (v >= 100)) }, (v) => {
        values[name][k.name] = v;
        changed(k.name);
      }).element));
  };
  const group = segments('Method', methods.map((m) => ({ value: m.name, title: m.title,
    about: m.about })), first, (name) => {
    choose(name);
    changed('method');
  });
  choose(first);
  return {
    element: h('div', { class: 'method' }, group.element, about, knobs),
    get method() {
      return method;
    },
    request: () => ({ method: method.name, settings: values[method.name] }),
  };
}

// samplePanel draws new points: from a sample, or none. taken(points) gets them.
export function samplePanel(ask, samples, curve, rows, taken) {
  let seed = 1;
  const draw = async (fresh) => {
    if (fresh) seed += 1;
    const sample = { name: source.value, curve, rows: count.value, test: 200, noise: noise.value,
      seed };
    taken((await ask('sample', sample)).points);
  };
  const source = select('drawn from', samples.map((x) => ({ value: x.name, title: x.title })),
    samples[0].name, () => {
      noise.set(samples.find((x) => x.name === source.value).noise);
      draw();
    });
  const noise = slider({ label: 'noise', least: 0, most: 1, step: 0.05, value: samples[0].noise,
    read: (v) => v.toFixed(2) }, () => draw());
  const count = slider({ label: 'training points', least: 10, most: 400, step: 10, value: rows },
    () => draw());
  return {
    element: h('div', { class: 'samples' }, source.element, count.element, noise.element,
      button('Draw again', () => draw(true)), button('Clear', () => taken([]))),
    draw,
  };
}

// brushes are what a press on the board does.
export function brushes(classes) {
  const sign = (kind) => h('span', { class: `sign ${kind}`, 'aria-hidden': 'true' });
  const kinds = classes
    ? [{ value: 'blue', title: 'Blue', mark: sign('blue') },
      { value: 'orange', title: 'Orange', mark: sign('orange') }]
    : [{ value: 'draw', title: 'Draw', mark: sign('blue') }];
  return segments('What a press on the board does',
    [...kinds, { value: 'erase', title: 'Erase', mark: sign('erase') }], kinds[0].value);
}

// player is the bar that goes through the steps of a training.
export function player(shown) {
  let sizes = [1];
  let unit = 'trees';
  let timer;
  const words = { leaves: 'leaves', trees: 'trees', rounds: 'rounds' };
  const range = slider({ label: 'step', least: 0, most: 0, step: 1, value: 0,
    read: (v) => `${sizes[v] ?? 1} of ${sizes.at(-1)} ${words[unit]}` }, (v) => {
    stop();
    shown(sizes[v], v === sizes.length - 1);
  });
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = '▶ Play';
    play.setAttribute('aria-pressed', 'false');
  };
  const move = (by) => {
    const to = Math.min(sizes.length - 1, Math.max(0, range.value + by));
    range.set(to);
    shown(sizes[to], to === sizes.length - 1);
    return to;
  };
  const play = button('▶ Play', () => {
    if (timer) return stop();
    if (range.value === sizes.length - 1) {
      range.set(0);
      shown(sizes[0]);
    }
    play.textContent = '❚❚ Pause';
    play.setAttribute('aria-pressed', 'true');
    const jump = Math.max(1, Math.round(sizes.length / 60));
    timer = setInterval(() => move(jump) === sizes.length - 1 && stop(),
      Math.max(120, 6000 / sizes.length));
  }, { 'aria-pressed': 'false', class: 'play' });
  const one = (by, text, label) => button(text, () => {
    stop();
    move(by);
  }, { 'aria-label': label, class: 'one' });
  return {
    element: h('div', { class: 'player' }, play, one(-1, '‹', 'one step back'), range.element,
      one(1, '›', 'one step on')),
    // set shows the steps of an answer
    set(answer) {
      ({ sizes, unit } = answer);
      range.element.querySelector('label').textContent = { leaves: 'size of the tree',
        trees: 'trees so far', rounds: 'rounds so far' }[unit];
      range.set(answer.shown, sizes.length - 1);
    },
    stop,
  };
}
