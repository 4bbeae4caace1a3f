// The page: its scenes, one of which is shown, and the theme. A scene is one module and one row.
import { connect } from './engine.js';
import { card, h } from './dom.js';
import * as plane from './scenes/plane.js';
import * as curve from './scenes/curve.js';
import * as tenPoints from './scenes/tenpoints.js';
import * as impurity from './scenes/impurity.js';
import * as bias from './scenes/bias.js';

const scenes = [
  { name: 'plane', title: 'Two classes', mount: plane.mount },
  { name: 'curve', title: 'A curve', mount: curve.mount },
  { name: 'ten-points', title: 'AdaBoost step by step', mount: tenPoints.mount },
  { name: 'impurity', title: 'Impurity', mount: impurity.mount },
  { name: 'bias', title: 'Bias and variance', mount: bias.mount },
];

// lesson shows what to try in a scene. A press on a question opens its answer.
const lesson = ({ exercises }) => card('Lesson', 'wide lesson', h('ol', {}, exercises.map((e) =>
  h('li', {}, e.try, h('details', {}, h('summary', {}, e.ask), h('p', {}, e.answer))))));

// theme switches between light, dark and that of the system, which is the start.
function theme() {
  const button = document.getElementById('theme');
  const root = document.documentElement;
  const dark = () =>
    root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
  const label = () => {
    button.textContent = dark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to the ${dark() ? 'light' : 'dark'} theme`);
    document.dispatchEvent(new Event('recolour'));
  };
  button.addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    label();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', label);
  label();
}

async function start() {
  theme();
  const ask = connect();
  const choices = await ask('choices', {});
  const main = document.getElementById('main');
  const nav = document.getElementById('scenes');
  const shown = {};
  const links = scenes.map((s) => h('a', { href: `./#${s.name}` }, s.title));
  nav.append(...links);
  const show = () => {
    const at = Math.max(0, scenes.findIndex((s) => `#${s.name}` === location.hash));
    const scene = scenes[at];
    for (const [name, section] of Object.entries(shown)) section.hidden = name !== scene.name;
    links.forEach((link, i) => {
      if (i === at) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    });
    links[at].scrollIntoView({ block: 'nearest', inline: 'center' });
    if (!shown[scene.name]) {
      const section = h('section', { class: 'scene', 'data-scene': scene.name,
        'aria-label': scene.title });
      shown[scene.name] = section;
      main.append(section);
      scene.mount(section, ask, choices);
      section.append(lesson(choices.lessons.find((l) => l.scene === scene.name)));
    }
    document.title = `${scene.title} · Coppice playground`;
  };
  addEventListener('hashchange', show);
  document.getElementById('start').remove();
  show();
}

start().catch((e) => {
  document.getElementById('start').textContent = `The playground did not start: ${e.message}`;
});
