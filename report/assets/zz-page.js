// The page: head, list of contents, and the sections in their order.

const themes = ['auto', 'light', 'dark'];
const themeButton = h(
  'button',
  {
    class: 'theme',
    click: () => {
      const root = document.documentElement;
      const next = themes[(themes.indexOf(root.dataset.theme ?? 'auto') + 1) % themes.length];
      root.dataset.theme = next;
      themeButton.textContent = `Colours: ${next}`;
    },
  },
  'Colours: auto',
);

document.getElementById('top').append(h('h1', {}, page.title), themeButton);

document.getElementById('contents').append(
  h(
    'ul',
    {},
    page.sections.map((s) =>
      h('li', {}, h('a', { href: `#${s.id}`, class: s.missing ? 'missing' : undefined }, s.title)),
    ),
  ),
);

const main = document.getElementById('main');
for (const s of page.sections) {
  const body = h(
    'section',
    { id: s.id, 'aria-labelledby': `title-${s.id}` },
    h('h2', { id: `title-${s.id}` }, s.title),
    h('p', { class: 'about' }, s.about),
  );
  main.append(body);
  if (s.missing) body.append(note(s.missing));
  else body.append(...sections[s.id](content(s.id)).flat());
}

// What is folded is printed where it has rows or lines to print.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...main.querySelectorAll('details:not([open])')].filter((part) =>
    part.querySelector('tbody tr:not(.screen), pre'),
  );
  for (const part of opened) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of opened) part.open = false;
});
