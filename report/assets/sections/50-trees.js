// The tree viewer: nodes that open and close, a zoom, and the path of a row.

const card = { width: 172, height: 78, gap: 14, level: 124 };

// clip cuts a text off behind a number of characters.
const clip = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

// fit cuts the text of a shown element off at the edge of a card.
const fit = (element) => {
  const inside = card.width - 14;
  const width = element.getComputedTextLength();
  if (width <= inside) return;
  const text = element.textContent;
  element.textContent = clip(text, Math.max(2, Math.floor((text.length * inside) / width)));
};

// layout places the open nodes: leaves side by side, parents above the middle of their children.
const layout = (tree, open) => {
  const children = tree.nodes.map(() => []);
  tree.nodes.forEach((n, i) => {
    if (n.parent >= 0) children[n.parent].push(i);
  });
  const placed = [];
  let next = 0;
  let deepest = 0;
  const place = (i, depth) => {
    deepest = Math.max(deepest, depth);
    const below = open.has(i) ? children[i].map((c) => place(c, depth + 1)) : [];
    const at = { i, y: depth * card.level, below, inner: children[i].length > 0 };
    if (below.length === 0) {
      at.x = next;
      next += card.width + card.gap;
    } else {
      at.x = (below[0].x + below[below.length - 1].x) / 2;
    }
    placed.push(at);
    return at;
  };
  place(0, 0);
  return { placed, width: next, height: deepest * card.level + card.height };
};

// distribution draws the labels of the rows in a node: a bar of classes, or a histogram.
const distribution = (node, classes) => {
  const inside = card.width - 16;
  const group = svgElement('g', { transform: 'translate(8 44)' });
  const total = node.rows || 1;
  if (!node.counts) return group;
  if (classes) {
    let at = 0;
    node.counts.forEach((n, k) => {
      const width = (inside * n) / total;
      if (n > 0) {
        group.append(
          svgElement('rect', { x: at, y: 6, width, height: 16, fill: colours[k % colours.length] }),
        );
      }
      at += width;
    });
    return group;
  }
  const most = Math.max(...node.counts);
  const step = inside / node.counts.length;
  node.counts.forEach((n, k) => {
    const height = (26 * n) / most;
    group.append(
      svgElement('rect', {
        x: k * step,
        y: 26 - height,
        width: step - 0.6,
        height,
        class: 'series',
      }),
    );
  });
  return group;
};

// words describes a node for readers who do not see it.
const words = (node, r) => {
  const parts = [node.condition || 'root', `${node.rows} rows`];
  if (r.classes && node.counts) {
    const best = node.counts.indexOf(Math.max(...node.counts));
    parts.push(`mostly ${r.classes[best]} (${percent(node.counts[best] / (node.rows || 1))})`);
  } else if (node.counts) parts.push(`mean ${number(node.mean)}`);
  if (node.value) parts.push(`value ${node.value}`);
  if (node.hidden) parts.push(`${node.hidden} leaves below`);
  return parts.join(', ');
};

const nodeCard = (at, tree, r, state, redraw) => {
  const node = tree.nodes[at.i];
  const on = state.path.has(at.i);
  const label = words(node, r) + (node.split ? `; divided by ${node.split}` : '');
  const toggle = () => {
    if (!at.inner) return;
    if (state.open.has(at.i)) state.open.delete(at.i);
    else state.open.add(at.i);
    redraw(at.i);
  };
  const below = node.counts && !r.classes ? `mean ${number(node.mean)}` : node.value;
  const second = node.rows > 0 ? `${number(node.rows, 9)} rows` : '';
  const drawn = svgElement(
    'g',
    {
      class: `node${on ? ' on' : ''}${at.inner ? ' inner' : ''}`,
      transform: `translate(${at.x} ${at.y})`,
      'data-node': at.i,
      // the element title is the name, since one by an attribute would have to hold all texts
      ...(at.inner
        ? { role: 'button', tabindex: 0, 'aria-expanded': state.open.has(at.i) }
        : { role: 'img', 'aria-label': label }),
    },
    svgElement('title', {}, label),
    svgElement('rect', { class: 'card', width: card.width, height: card.height, rx: 7 }),
    svgElement(
      'text',
      { x: 8, y: 18, class: 'split fits' },
      node.split ? clip(node.split, 27) : clip(node.value || below || 'leaf', 27),
    ),
    svgElement(
      'text',
      { x: 8, y: 35, class: 'fits' },
      clip(
        [second, node.split || below === node.value ? '' : below].filter((t) => t).join(', '),
        28,
      ),
    ),
    distribution(node, r.classes),
    ...(at.inner && !state.open.has(at.i)
      ? [svgElement('text', { x: card.width / 2, y: card.height + 15, class: 'more' }, '▾')]
      : []),
    ...(node.hidden
      ? [
          svgElement(
            'text',
            { x: card.width / 2, y: card.height + 15, class: 'more' },
            `${node.hidden} leaves`,
          ),
        ]
      : []),
  );
  drawn.addEventListener('click', toggle);
  drawn.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    toggle();
  });
  return drawn;
};

const edges = (placed, tree, state) =>
  placed.flatMap((at) =>
    at.below.map((c, k) => {
      const [x1, y1] = [at.x + card.width / 2, at.y + card.height];
      const [x2, y2] = [c.x + card.width / 2, c.y];
      const middle = (y1 + y2) / 2;
      const on = state.path.has(c.i);
      const group = svgElement(
        'g',
        { class: on ? 'edge on' : 'edge' },
        svgElement('path', { d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}` }),
      );
      const text = at.below.length === 2 ? ['yes', 'no'][k] : clip(tree.nodes[c.i].condition, 16);
      group.append(svgElement('text', { x: (x1 + 2 * x2) / 3, y: y2 - 12 }, text));
      return group;
    }),
  );

sections.trees = (r) => {
  const state = { tree: 0, zoom: 1, row: -1, open: new Set(), path: new Set() };
  const drawing = svgElement('svg', { class: 'tree', role: 'group', 'aria-label': 'Tree' });
  const view = scrolled('The tree: scroll to see all of it', drawing);
  view.classList.add('viewer');
  const about = h('p', { class: 'path', 'aria-live': 'polite' });

  const redraw = (focused) => {
    const tree = r.trees[state.tree];
    const { placed, width, height } = layout(tree, state.open);
    drawing.setAttribute('viewBox', `-4 -4 ${width + 8} ${height + 28}`);
    drawing.setAttribute('width', (width + 8) * state.zoom);
    drawing.setAttribute('height', (height + 28) * state.zoom);
    drawing.replaceChildren(
      ...edges(placed, tree, state),
      ...placed.map((at) => nodeCard(at, tree, r, state, redraw)),
    );
    requestAnimationFrame(() => drawing.querySelectorAll('.fits').forEach(fit));
    if (focused !== undefined) drawing.querySelector(`[data-node="${focused}"]`)?.focus();
  };
  // showPath opens and marks the nodes of the chosen row.
  const showPath = () => {
    const tree = r.trees[state.tree];
    state.path = new Set();
    about.textContent = '';
    if (state.row < 0) return;
    for (let i = tree.ends[state.row]; i >= 0; i = tree.nodes[i].parent) {
      state.path.add(i);
      state.open.add(i);
    }
    const conditions = [...state.path]
      .reverse()
      .map((i) => tree.nodes[i].condition)
      .filter((text) => text);
    about.textContent =
      `Row ${r.rows[state.row]}: ${conditions.join('; ') || 'the root'}` +
      `${tree.nodes[tree.ends[state.row]].value ? ` → ${tree.nodes[tree.ends[state.row]].value}` : ''}`;
  };
  // center scrolls to the last node of the path, else to the root.
  const center = () =>
    requestAnimationFrame(() => {
      const marked = drawing.querySelectorAll('.node.on');
      const at = marked.length > 0 ? Math.max(...state.path) : 0;
      const [box, outer] = [drawing.querySelector(`[data-node="${at}"]`), view].map((e) =>
        e.getBoundingClientRect(),
      );
      view.scrollLeft += box.left + box.width / 2 - outer.left - outer.width / 2;
      view.scrollTop += Math.max(0, box.bottom + 20 - outer.bottom);
    });
  const start = () => {
    const tree = r.trees[state.tree];
    const depth = [];
    state.open = new Set();
    tree.nodes.forEach((n, i) => {
      depth[i] = n.parent < 0 ? 0 : depth[n.parent] + 1;
      if (depth[i] < 3) state.open.add(i);
    });
    showPath();
    redraw();
    center();
  };
  const zoom = (factor) => () => {
    state.zoom = factor
      ? Math.max(0.2, Math.min(3, state.zoom * factor))
      : Math.min(1, view.clientWidth / Number(drawing.getAttribute('viewBox').split(' ')[2]));
    redraw();
  };
  const name = (t) => `tree ${t.number}${t.of ? ` (${t.of})` : ''}`;
  const rows = r.rows ?? [];
  const chooseRow =
    rows.length > 0 &&
    choice('path of row', ['none', ...rows.map((row) => String(row))], (i) => {
      state.row = i - 1;
      start();
    });
  document.addEventListener('path', ({ detail }) => {
    state.row = rows.indexOf(detail);
    chooseRow.querySelector('select').selectedIndex = state.row + 1;
    start();
    document.getElementById('trees').scrollIntoView();
  });
  start();
  return [
    h(
      'p',
      {},
      `${r.trees.length} of ${r.total} trees can be shown. `,
      h('span', { class: 'screen' }, 'Open and close nodes by a click or the Enter key. '),
      r.classes
        ? 'Bars are the classes of the rows of the table.'
        : 'Small histograms are the labels of the rows of the table.',
    ),
    r.classes && rows.length > 0 && r.classes.length <= 30
      ? h(
          'ul',
          { class: 'legend' },
          r.classes.map((c, k) => {
            const mark = h('span', { 'aria-hidden': 'true' });
            mark.style.background = colours[k % colours.length];
            return h('li', {}, mark, c);
          }),
        )
      : undefined,
    h(
      'div',
      { class: 'choices' },
      r.trees.length > 1
        ? choice('tree', r.trees.map(name), (i) => {
            state.tree = i;
            start();
          })
        : undefined,
      chooseRow || undefined,
      h(
        'p',
        { class: 'choice' },
        h('button', { 'aria-label': 'zoom in', click: zoom(1.25) }, '+'),
        h('button', { 'aria-label': 'zoom out', click: zoom(0.8) }, '−'),
        h('button', { click: zoom(0) }, 'fit'),
        h(
          'button',
          {
            click: () => {
              r.trees[state.tree].nodes.forEach((_, i) => state.open.add(i));
              redraw();
            },
          },
          'open all',
        ),
      ),
    ),
    about,
    view,
  ].filter((part) => part);
};
