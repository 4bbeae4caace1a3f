const trainingSpec = (c) => {
  const axis = (field, s) =>
    x(field, s.label, { scale: s.log ? { type: 'log' } : { zero: s.zero, nice: !s.log } });
  const points = (curve, k) =>
    curve.x
      .map((v, i) => ({ a: v, b: curve.y[i], i, k, name: curve.name || `curve ${k + 1}` }))
      .filter((p) => p.a !== null && p.b !== null);
  const names = [...new Set(c.curves.map((curve, k) => curve.name || `curve ${k + 1}`))];
  const range = names.map(
    (name) =>
      colours[
        c.curves.find((curve, k) => (curve.name || `curve ${k + 1}`) === name).colour %
          colours.length
      ],
  );
  return {
    layer: c.curves.map((curve, k) => ({
      data: values(points(curve, k)),
      mark: curve.points
        ? { type: 'point', size: 40 }
        : { type: 'line', strokeWidth: 2, ...(curve.dashed ? { strokeDash: [5, 4] } : {}) },
      encoding: {
        x: axis('a', c.x),
        y: axis('b', c.y),
        color: nominal('name', null, { scale: { domain: names, range } }),
        order: { field: 'i', type: 'quantitative' },
        tooltip: shown(['name', 'curve'], ['a', c.x.label], ['b', c.y.label, '.5~g']),
      },
    })),
  };
};

sections.training = (r) =>
  [
    r.about ? h('p', {}, r.about) : undefined,
    r.charts?.length > 0
      ? h(
          'div',
          { class: 'grid' },
          r.charts.map((c) =>
            chart(
              c.y.label,
              `${c.y.label} over ${c.x.label}: ${c.curves.map((curve) => curve.name).join(', ')}.`,
              trainingSpec(c),
            ),
          ),
        )
      : undefined,
    ...(r.notes ?? []).map((text) => note(text)),
    ...(r.tables ?? []).map((t, k) =>
      h(
        'div',
        {},
        table(
          t.caption || `What training found (${k + 1})`,
          t.columns.map((name, i) => ({ name, cell: (row) => row[i] })),
          t.rows,
        ),
        (t.notes ?? []).map((text) => note(text)),
      ),
    ),
    r.log
      ? h(
          'details',
          {},
          h('summary', {}, 'What training printed'),
          h('pre', { tabindex: '0' }, r.log),
        )
      : undefined,
  ].filter((part) => part);
