// A small decision tree as a drawing: questions, and below them leaves with their class or number.
import { s, number } from './dom.js';
import { tint } from './colour.js';

// sketch draws a tree. A leaf's colour is that of its score; values are written where classes is
// false.
export function sketch(tree, classes) {
  const leaves = [];
  let deepest = 0;
  const lay = (node, depth) => {
    deepest = Math.max(deepest, depth);
    const below = (node.below ?? []).map((b) => lay(b, depth + 1));
    const at = below.length ? (below[0].at + below.at(-1).at) / 2 : leaves.push(node) - 1;
    return { node, depth, at, below };
  };
  const root = lay(tree, 0);
  const wide = Math.max(leaves.length * 84, 260);
  const tall = (deepest + 1) * 64;
  const x = (n) => (n.at + 0.5) * (wide / leaves.length);
  const y = (n) => n.depth * 64 + 24;
  const lines = s('g', { class: 'links' });
  const nodes = s('g');
  const draw = (n) => {
    n.below.forEach((b, i) => {
      const thick = Math.max(1, (9 * b.node.rows) / tree.rows);
      lines.append(s('path', { d: `M${x(n)} ${y(n)}L${x(b)} ${y(b)}`, 'stroke-width': thick }));
      if (n === root) {
        lines.append(s('text', { x: (x(n) + x(b)) / 2 + (i ? 10 : -10), y: (y(n) + y(b)) / 2,
          'text-anchor': i ? 'start' : 'end' }, i ? 'no' : 'yes'));
      }
      draw(b);
    });
    const question = n.below.length
      ? `${n.node.column ? 'y' : 'x'} ≤ ${number(n.node.split, 2)}`
      : classes ? String(n.node.rows) : number(n.node.score, 2);
    const half = n.below.length ? 36 : 21;
    const box = s('rect', { x: x(n) - half, y: y(n) - 13, width: 2 * half, height: 26, rx: 6 });
    if (!n.below.length && classes) box.style.fill = `rgb(${tint(n.node.score).join()})`;
    nodes.append(box, s('text', { x: x(n), y: y(n) + 4.5, 'text-anchor': 'middle' }, question));
  };
  draw(root);
  const words = `A tree of ${leaves.length} leaves; its first question is ` +
    (root.below.length ? `${tree.column ? 'y' : 'x'} at most ${number(tree.split, 2)}` : 'none');
  const svg = s('svg', { class: 'sketch', viewBox: `0 0 ${wide} ${tall}`, role: 'img',
    'aria-label': words }, lines, nodes);
  svg.style.maxWidth = `${wide}px`;
  return svg;
}
