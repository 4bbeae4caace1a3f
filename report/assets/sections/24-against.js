// pointsOfBoth draws the predictions of both models for the sampled rows.
const pointsOfBoth = (r, output) => {
  const name = r.classes ? `probability of ${r.outputs[output]}` : r.outputs[output];
  const rows = r.a[output].map((a, i) => ({ a, b: r.b[output][i] }));
  const all = rows.flatMap(({ a, b }) => [a, b]).filter((v) => v !== null);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const free = { scale: { zero: false } };
  const across = x('a', `A: ${name}`, free);
  const up = x('b', `B: ${name}`, free);
  return {
    layer: [
      {
        data: values(rows),
        mark: { type: 'point', size: 18, color: 'var(--series)', opacity: 0.45 },
        encoding: { x: across, y: up, tooltip: shown(['a', 'A', '.4~g'], ['b', 'B', '.4~g']) },
      },
      {
        data: values([
          { a: low, b: low },
          { a: high, b: high },
        ]),
        mark: { type: 'line', strokeDash: [4, 4], color: 'var(--faded)', strokeWidth: 1 },
        encoding: { x: across, y: up },
      },
    ],
  };
};

// pairTable shows metrics of both models.
const pairTable = (metrics) =>
  table(
    'Metrics of both models, and intervals of 95 % of their difference',
    [
      { name: 'metric', cell: (m) => m.name },
      { name: 'A', number: true, cell: (m) => number(m.a) },
      { name: 'B', number: true, cell: (m) => number(m.b) },
      { name: 'B − A', number: true, cell: (m) => `${number(m.low, 3)} to ${number(m.high, 3)}` },
      { name: 'p', number: true, cell: (m) => number(m.p, 2) },
      { name: 'better', cell: (m) => m.better ?? 'not clear' },
      { name: 'meaning', long: true, cell: (m) => m.help },
    ],
    metrics,
  );

// sideBySide shows the importances of both models.
const sideBySide = (all) => {
  const most = Math.max(...all.flatMap((i) => [i.a, i.b]));
  const cell = (v) =>
    h('span', { class: 'measured' }, bar(v, most), h('span', {}, number(v, 3)));
  const few = all.slice(0, 15);
  return [
    table(
      'Importances by splits in training, as fractions',
      [
        { name: 'feature', cell: (i) => i.feature },
        { name: 'A', cell: (i) => cell(i.a), order: (i) => i.a },
        { name: 'B', cell: (i) => cell(i.b), order: (i) => i.b },
      ],
      few,
    ),
    all.length > few.length
      ? note(`${all.length - few.length} features with smaller importances are not shown.`)
      : undefined,
  ];
};

sections.against = (r) => {
  const cell = (v) => (typeof v === 'number' ? number(v) : (v ?? '–'));
  const counts = [
    `The predictions of ${number(r.different, 9)} of ${number(r.rows, 9)} rows differ, by `,
    `${number(r.mean)} on average and ${number(r.largest)} at most.`,
    r.labels === undefined ? '' : ` ${number(r.labels, 9)} rows are labeled differently.`,
  ];
  const [figure, drawPoints] = changing('Predictions of both models');
  const show = (output) =>
    drawPoints(
      `Predictions of model B against those of model A for ${r.a[output].length} rows` +
        `${r.classes ? `, probability of ${r.outputs[output]}` : ''}.`,
      pointsOfBoth(r, output),
    );
  if (r.rows > 0) show(r.first);
  return [
    table(
      'Both models, and the parameters in which they differ',
      [
        { name: 'property', cell: (f) => f.name },
        { name: 'A', cell: (f) => f.a },
        { name: 'B', cell: (f) => f.b },
      ],
      r.facts,
    ),
    h('p', {}, counts.join('')),
    r.metrics
      ? [
          pairTable(r.metrics),
          note(
            'Both models are evaluated on the same resampled rows. p is how probable so large a ',
            'difference is if there is none.',
          ),
        ]
      : undefined,
    r.undefined ? note(`Metrics: ${r.undefined}`) : undefined,
    r.outputs.length > 1 ? choice('class', r.outputs, show, r.first) : undefined,
    figure,
    r.agreement
      ? confusionTable(r.classes, r.agreement, {
          caption: 'Labels: rows by that of A (down) and of B (across)',
          corner: 'label of A',
          last: 'same',
        })
      : undefined,
    r.slices
      ? table(
          'Where they differ: leaves of a small tree that is trained on the difference',
          [
            { name: 'rows where', long: true, cell: (s) => s.rule },
            { name: 'rows', number: true, cell: (s) => number(s.rows, 9), order: (s) => s.rows },
            {
              name: 'mean difference',
              number: true,
              cell: (s) => number(s.mean),
              order: (s) => s.mean,
            },
          ],
          r.slices,
        )
      : undefined,
    r.importances ? sideBySide(r.importances) : undefined,
    r.most
      ? table(
          'Rows that differ most',
          [
            { name: 'row', cell: (l) => number(l.row, 9), order: (l) => l.row },
            { name: 'label', cell: (l) => cell(l.label) },
            { name: 'A', cell: (l) => cell(l.a) },
            { name: 'B', cell: (l) => cell(l.b) },
            { name: 'difference', number: true, cell: (l) => number(l.gap), order: (l) => l.gap },
          ],
          r.most,
        )
      : undefined,
  ]
    .flat()
    .filter((part) => part);
};
