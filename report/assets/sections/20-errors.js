// metricTable shows metrics with their intervals.
const metricTable = (metrics, rows) =>
  table(
    `Metrics on ${number(rows, 9)} rows, with bootstrap intervals of 95 %`,
    [
      { name: 'metric', cell: (m) => m.name },
      { name: 'value', number: true, cell: (m) => number(m.value) },
      { name: 'interval', number: true, cell: (m) => `${number(m.low)} to ${number(m.high)}` },
      { name: 'better', cell: (m) => (m.higher ? 'higher' : 'lower') },
      { name: 'meaning', long: true, cell: (m) => m.help },
    ],
    metrics,
  );

// confusionTable colours the cells of a row by their fraction of it. The words are those of labels
// against predictions unless others are given.
const confusionTable = (classes, counts, words = {}) => {
  const {
    caption = 'Confusion: rows by true class (down) and predicted class (across)',
    corner = 'true class',
    last = 'recall',
  } = words;
  const body = counts.map((line, t) => {
    const sum = line.reduce((a, b) => a + b, 0);
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, classes[t]),
      line.map((n, p) => {
        const cell = h(
          'td',
          {
            class: t === p ? 'number right' : 'number wrong',
            title: `${percent(n / sum)} of ${classes[t]}`,
          },
          number(n, 9),
        );
        cell.style.setProperty('--part', `${sum > 0 ? (60 * n) / sum : 0}%`);
        return cell;
      }),
      h('td', { class: 'number' }, percent(line[t] / sum)),
    );
  });
  return h(
    'div',
    { class: 'table' },
    h('p', { class: 'caption', 'aria-hidden': 'true' }, caption),
    scrolled(
      caption,
      h(
        'table',
        { class: classes.length > 12 ? 'confusion small' : 'confusion' },
        h('caption', { class: 'hidden' }, caption),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, corner),
            classes.map((c) => h('th', { scope: 'col', class: 'number' }, c)),
            h('th', { scope: 'col', class: 'number' }, last),
          ),
        ),
        h('tbody', {}, body),
      ),
    ),
  );
};

// thresholdTool recomputes the confusion of two classes for a chosen threshold.
const thresholdTool = (c, other, first) => {
  const nearest = () =>
    c.thresholds.reduce(
      (best, t, i) => (Math.abs(t - first) < Math.abs(c.thresholds[best] - first) ? i : best),
      0,
    );
  const out = h('div', { 'aria-live': 'polite' });
  const value = h('output', { for: 'threshold' });
  const slider = h('input', {
    type: 'range',
    id: 'threshold',
    min: 0,
    max: c.thresholds.length - 1,
    value: nearest(),
    input: () => show(),
  });
  const show = () => {
    const i = Number(slider.value);
    const [tp, fp] = [c.tp[i], c.fp[i]];
    const [fn, tn] = [c.positive - tp, c.negative - fp];
    value.textContent = number(c.thresholds[i]);
    slider.setAttribute('aria-valuetext', number(c.thresholds[i]));
    out.replaceChildren(
      h(
        'ul',
        { class: 'cards' },
        [
          ['precision', tp / (tp + fp)],
          ['recall', tp / (tp + fn)],
          ['false positive rate', fp / (fp + tn)],
          ['accuracy', (tp + tn) / (c.positive + c.negative)],
          ['F1', (2 * tp) / (2 * tp + fp + fn)],
        ].map(([name, v]) =>
          h('li', {}, h('strong', {}, Number.isFinite(v) ? number(v) : '–'), h('span', {}, name)),
        ),
      ),
      confusionTable(
        [c.class, other],
        [
          [tp, fn],
          [fp, tn],
        ],
        { caption: 'Confusion at the threshold: true class (down), predicted class (across)' },
      ),
    );
  };
  show();
  return h(
    'div',
    { class: 'tool' },
    h('h3', {}, 'Decision threshold'),
    h(
      'p',
      {},
      `A row is labeled ${c.class} if its probability of that class is greater than the threshold.`,
      h('span', { class: 'screen' }, ' Move the threshold, and the table follows.'),
    ),
    h('p', { class: 'choice' }, h('label', { for: 'threshold' }, 'threshold'), slider, value),
    out,
  );
};

// curveCharts draws the four curves of a class.
const curveCharts = (c) => {
  const rows = c.thresholds.map((t, i) => {
    const [tp, fp] = [c.tp[i], c.fp[i]];
    return {
      i,
      t,
      tpr: tp / c.positive,
      fpr: fp / c.negative,
      precision: tp / (tp + fp),
      part: (tp + fp) / (c.positive + c.negative),
    };
  });
  rows.unshift({
    i: -1,
    t: null,
    tpr: 1,
    fpr: 1,
    part: 1,
    precision: c.positive / (c.positive + c.negative),
  });
  const lifted = rows
    .filter((r) => r.part > 0)
    .map((r) => ({ ...r, lift: r.precision / rows[0].precision }));
  const unit = { scale: { domain: [0, 1] } };
  const tips = {
    tooltip: shown(
      ['t', 'threshold'],
      ['tpr', 'recall', '.3f'],
      ['fpr', 'false positive rate', '.3f'],
      ['precision', 'precision', '.3f'],
    ),
  };
  const points = (field, across) => [
    {
      mark: { type: 'point', size: 60, opacity: 0 },
      encoding: { x: across, y: x(field, '', {}), ...tips },
    },
  ];
  const of = `of class ${c.class}`;
  return [
    [
      'ROC curve',
      `ROC curve ${of}: recall against the false positive rate.`,
      line(rows, x('fpr', 'false positive rate', unit), x('tpr', 'recall', unit), {
        below: [diagonal('false positive rate', 'recall')],
        above: points('tpr', x('fpr', '')),
      }),
    ],
    [
      'Precision and recall',
      `Precision against recall ${of}.`,
      line(
        rows.filter((r) => Number.isFinite(r.precision)),
        x('tpr', 'recall', unit),
        x('precision', 'precision', unit),
        { above: points('precision', x('tpr', '')) },
      ),
    ],
    [
      'Gain',
      `Recall ${of} against the fraction of rows with the highest probabilities.`,
      line(
        rows,
        x('part', 'fraction of rows, most probable first', unit),
        x('tpr', 'recall', unit),
        {
          below: [diagonal('fraction of rows, most probable first', 'recall')],
          above: points('tpr', x('part', '')),
        },
      ),
    ],
    [
      'Lift',
      `How many times more rows ${of} are among the most probable rows than among all.`,
      line(lifted, x('part', 'fraction of rows, most probable first', unit), x('lift', 'lift'), {
        above: [{ mark: { type: 'rule', strokeDash: [4, 4] }, encoding: { y: { datum: 1 } } }],
      }),
    ],
  ];
};

const reliability = (c) => {
  const rows = c.bins
    .filter((b) => b.weight > 0)
    .map((b, i) => ({
      i,
      p: b.probability,
      f: b.frequency,
      n: b.rows,
      low: b.frequency - 1.96 * Math.sqrt((b.frequency * (1 - b.frequency)) / b.rows),
      high: b.frequency + 1.96 * Math.sqrt((b.frequency * (1 - b.frequency)) / b.rows),
    }));
  const unit = { scale: { domain: [0, 1], clamp: true } };
  const [across, up] = [x('p', 'mean predicted probability', unit), x('f', 'frequency', unit)];
  const tips = shown(['p', 'probability', '.3f'], ['f', 'frequency', '.3f'], ['n', 'rows']);
  const of = c.class ? `of class ${c.class}` : 'of the most probable class';
  return chart(
    `Calibration: expected error ${number(c.ece, 3)}`,
    `Frequency against mean predicted probability ${of}, in ${rows.length} bins.`,
    line(rows, across, up, {
      below: [
        diagonal('mean predicted probability', 'frequency'),
        {
          mark: { type: 'rule', color: 'var(--series)' },
          encoding: { x: across, y: x('low', 'frequency', unit), y2: { field: 'high' } },
        },
      ],
      above: [
        {
          mark: { type: 'point', size: 60, opacity: 1, color: 'var(--series)' },
          encoding: { x: across, y: up, tooltip: tips },
        },
      ],
    }),
  );
};

sections.errors = (e) => {
  const parts = [];
  if (e.metrics?.length > 0) parts.push(metricTable(e.metrics, e.rows));
  if (e.undefined) parts.push(note(e.undefined));
  if (e.queries) {
    const { counted, all } = e.queries;
    parts.push(note(`${counted} of ${all} queries count: those with a relevant row.`));
  }
  if (e.confusion) parts.push(confusionTable(e.classes, e.confusion));
  const first = e.curves?.[0];
  if (first && e.threshold !== undefined && e.curves.length === 1) {
    const other = e.classes.find((c) => c !== first.class);
    parts.push(thresholdTool(first, other, e.threshold));
  }
  if (first) {
    const figures = curveCharts(first).map(([title]) => changing(title));
    const show = (k) =>
      curveCharts(e.curves[k]).forEach(([, text, spec], i) => figures[i][1](text, spec));
    parts.push(h('h3', {}, 'Curves over all thresholds'));
    if (e.curves.length > 1) {
      parts.push(
        choice(
          'class',
          e.curves.map((c) => c.class),
          show,
        ),
      );
    }
    show(0);
    parts.push(
      h(
        'div',
        { class: 'grid' },
        figures.map(([figure]) => figure),
      ),
    );
  }
  if (e.calibration) parts.push(h('div', { class: 'grid' }, reliability(e.calibration)));
  if (e.residuals) parts.push(...residualCharts(e.residuals, e.label));
  return parts;
};
