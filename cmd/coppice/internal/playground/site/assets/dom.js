// Elements and controls. All texts become text nodes or attributes, never HTML.

// h makes an element. A function as an attribute listens to the event of its name.
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// s makes an element of an SVG.
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null));
  return element;
}

let ids = 0;
const id = () => `control-${(ids += 1)}`;

// slider makes a labelled range; read formats its value. It returns { element, value, set }.
export function slider({ label, least, most, step, value, read = String }, changed) {
  const own = id();
  const output = h('output', { for: own }, read(value));
  const input = h('input', {
    id: own, type: 'range', min: least, max: most, step, value, 'aria-valuetext': read(value),
    input: () => {
      show();
      changed?.(Number(input.value));
    },
  });
  const show = () => {
    output.textContent = read(Number(input.value));
    input.setAttribute('aria-valuetext', output.textContent);
  };
  return {
    element: h('div', { class: 'slider' }, h('label', { for: own }, label), output, input),
    get value() {
      return Number(input.value);
    },
    set(v, most) {
      if (most !== undefined) input.max = most;
      input.value = v;
      show();
    },
  };
}

// segments makes a group of buttons of which one is chosen. It returns { element, value, set }.
export function segments(label, options, first, changed) {
  let chosen = first;
  const buttons = options.map((o) =>
    h('button', { type: 'button', title: o.about, click: () => choose(o.value, true) },
      o.mark ?? null, o.title));
  const choose = (value, told) => {
    chosen = value;
    buttons.forEach((b, i) => b.setAttribute('aria-pressed', options[i].value === value));
    if (told) changed?.(value);
  };
  choose(first, false);
  return {
    element: h('div', { class: 'segments', role: 'group', 'aria-label': label }, buttons),
    get value() {
      return chosen;
    },
    set: (value) => choose(value, false),
  };
}

// select makes a labelled list of choices.
export function select(label, options, first, changed) {
  const own = id();
  const input = h('select', { id: own, change: () => changed?.(input.value) },
    options.map((o) => h('option', { value: o.value, selected: o.value === first ? '' : undefined },
      o.title)));
  return {
    element: h('div', { class: 'select' }, h('label', { for: own }, label), input),
    get value() {
      return input.value;
    },
    set(v) {
      input.value = v;
    },
  };
}

// toggle makes a labelled check box.
export function toggle(label, on, changed) {
  const input = h('input', { type: 'checkbox', change: () => changed?.(input.checked) });
  input.checked = on;
  return {
    element: h('label', { class: 'toggle' }, input, ' ', label),
    get value() {
      return input.checked;
    },
  };
}

export const button = (text, click, attributes = {}) =>
  h('button', { type: 'button', click, ...attributes }, text);

// card makes a part of a scene with a heading.
export const card = (title, name, ...children) =>
  h('div', { class: `card ${name}` }, title ? h('h2', {}, title) : null, children);

// number writes a number with some significant digits, with a true minus.
export function number(x, digits = 3) {
  if (!Number.isFinite(x)) return '–';
  const text = x.toLocaleString('en', { maximumSignificantDigits: digits });
  return text.replace('-', '−');
}

export const percent = (x) => (Number.isFinite(x) ? `${(100 * x).toFixed(1)} %` : '–');
