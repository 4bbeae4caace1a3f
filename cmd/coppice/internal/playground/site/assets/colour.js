// Colours, which the style sheet owns: class 0 and 1, and mixtures of them with the ground.

let read = {};
document.addEventListener('recolour', () => {
  read = {};
});

// colour returns a custom property of the style sheet as [r, g, b].
export function colour(name) {
  if (!read[name]) {
    const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const n = parseInt(text.slice(1), 16);
    read[name] = [n >> 16, (n >> 8) & 255, n & 255];
  }
  return read[name];
}

const mix = (a, b, part) => a.map((v, i) => Math.round(v + (b[i] - v) * part));

// tint is the colour of a score from 0 to 1: the more certain, the stronger.
export function tint(score) {
  const sure = Math.abs(score - 0.5) * 2;
  const to = colour(score > 0.5 ? 'orange' : 'blue');
  const ground = colour('ground-0');
  const most = ground[0] > 127 ? 0.5 : 0.36; // dark points stand out less
  return mix(ground, to, 0.1 + most * Math.min(1, sure));
}
