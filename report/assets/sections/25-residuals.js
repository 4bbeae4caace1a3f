// bins makes rows of a histogram for a chart.
const bins = (g) =>
  g.counts.map((n, i) => {
    const width = (g.to - g.from) / g.counts.length;
    return { from: g.from + i * width, to: g.from + (i + 1) * width, n };
  });

const histogramChart = (title, description, g, across) =>
  chart(title, description, {
    data: values(bins(g)),
    mark: { type: 'bar', color: 'var(--series)' },
    encoding: {
      x: x('from', across, { bin: { binned: true }, scale: { nice: false } }),
      x2: { field: 'to' },
      y: x('n', 'rows'),
      tooltip: shown(['from', 'from', '.4~g'], ['to', 'to', '.4~g'], ['n', 'rows']),
    },
  });

const residualCharts = (r, label) => {
  const rows = r.label.map((y, i) => ({ y, p: r.prediction[i], e: y - r.prediction[i] }));
  const all = [...r.label, ...r.prediction];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const dots = { type: 'point', size: 18, color: 'var(--series)', opacity: 0.45 };
  const tips = shown(
    ['y', 'label', '.4~g'],
    ['p', 'prediction', '.4~g'],
    ['e', 'residual', '.4~g'],
  );
  const free = { scale: { zero: false } };
  const [q05, q25, q50, q75, q95] = r.quantiles.map((v) => number(v));
  const beyond = (r.histogram.below ?? 0) + (r.histogram.above ?? 0);
  return [
    h('h3', {}, 'Residuals'),
    h(
      'p',
      {},
      `A residual is label minus prediction. Half of them are between ${q25} and ${q75}, `,
      `nine of ten between ${q05} and ${q95}; the median is ${q50}.`,
    ),
    h(
      'div',
      { class: 'grid' },
      chart(
        'Labels and predictions',
        `Labels ${label} against predictions of ${rows.length} rows.`,
        {
          data: values(rows),
          layer: [
            {
              mark: dots,
              encoding: { x: x('p', 'prediction', free), y: x('y', 'label', free), tooltip: tips },
            },
            {
              data: values([
                { p: low, y: low },
                { p: high, y: high },
              ]),
              mark: { type: 'line', strokeDash: [4, 4], color: 'var(--faded)', strokeWidth: 1 },
              encoding: { x: x('p', 'prediction', free), y: x('y', 'label', free) },
            },
          ],
        },
      ),
      chart('Residuals by prediction', `Residuals against predictions of ${rows.length} rows.`, {
        data: values(rows),
        layer: [
          {
            mark: dots,
            encoding: { x: x('p', 'prediction', free), y: x('e', 'residual'), tooltip: tips },
          },
          { mark: { type: 'rule', strokeDash: [4, 4] }, encoding: { y: { datum: 0 } } },
        ],
      }),
      histogramChart(
        'Distribution of residuals',
        `Histogram of residuals: median ${q50}, quartiles ${q25} and ${q75}.`,
        r.histogram,
        beyond > 0 ? `residual (${number(beyond, 9)} rows are beyond the axis)` : 'residual',
      ),
    ),
  ];
};
