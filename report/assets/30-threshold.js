// The threshold: a slider changes the first line of its table.

const threshold = document.getElementById('data-threshold');
if (threshold) {
  const { class: name, positive, negative, thresholds, tp: tps, fp: fps, own } = JSON.parse(
    threshold.textContent,
  );
  const table = document.querySelector('.thresholds');
  const cells = [...table.querySelector('tbody tr').cells];
  const slider = document.createElement('input');
  Object.assign(slider, { type: 'range', id: 'threshold', min: 0, max: thresholds.length - 1 });
  slider.value = own;
  const label = document.createElement('label');
  label.htmlFor = 'threshold';
  label.textContent = `threshold for ${name}`;
  const line = document.createElement('p');
  line.className = 'choice';
  line.append(label, slider);
  table.before(line);
  table.setAttribute('aria-live', 'polite');
  slider.addEventListener('input', () => {
    const i = Number(slider.value);
    const [tp, fp] = [tps[i], fps[i]];
    const [fn, tn] = [positive - tp, negative - fp];
    const parts = [tp / (tp + fp), tp / (tp + fn), fp / (fp + tn), (tp + tn) / (positive + negative)];
    const texts = [...parts, (2 * tp) / (2 * tp + fp + fn)].map((v) =>
      Number.isFinite(v) ? v.toFixed(3) : '–',
    );
    slider.setAttribute('aria-valuetext', String(thresholds[i]));
    [thresholds[i], ...texts, tp, fp, fn, tn].forEach((text, k) => {
      (cells[k].querySelector('mark') ?? cells[k]).textContent = String(text);
    });
  });
}
