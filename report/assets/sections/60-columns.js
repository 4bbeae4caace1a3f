sections.columns = (r) => {
  const top = (c) =>
    spark(
      c.top.slice(0, 10).map((t) => t.rows),
      c.top
        .slice(0, 10)
        .map((t) => `${t.name}: ${t.rows}`)
        .join(', '),
    );
  const picture = (c) =>
    c.bins
      ? spark(c.bins.counts, `histogram from ${number(c.bins.from)} to ${number(c.bins.to)}`)
      : c.top
        ? top(c)
        : '';
  const warnings = r.warnings ?? [];
  const columns = [
    {
      name: 'column',
      cell: (c) => (c.label ? h('span', {}, c.name, ' ', h('mark', {}, 'label')) : c.name),
    },
    { name: 'kind', cell: (c) => c.kind, order: (c) => c.kind },
    ...(r.rows > 0
      ? [
          {
            name: 'missing',
            number: true,
            order: (c) => c.missing,
            cell: (c) => (c.missing > 0 ? percent(c.missing / r.rows) : '0'),
          },
          {
            name: 'distinct',
            number: true,
            cell: (c) => number(c.distinct, 9),
            order: (c) => c.distinct,
          },
          { name: 'distribution', cell: picture },
        ]
      : []),
    { name: 'range, or most frequent', cell: (c) => c.range },
    ...(warnings.length > 0
      ? [{ name: 'checks', cell: (c) => (c.checks ? h('mark', {}, c.checks.join(', ')) : '') }]
      : []),
  ];
  const made = table(
    r.rows > 0
      ? `Columns of the table, of ${number(r.rows, 9)} rows`
      : 'Columns that the model was trained on',
    columns,
    r.columns,
  );
  if (r.columns.length > 20) made.querySelector('.scroll').classList.add('tall');
  return [
    r.rows === 0
      ? note('A table is missing: coppice report MODEL DATA shows distributions.')
      : undefined,
    r.rows > 0 && warnings.length === 0
      ? h(
          'p',
          {},
          'No column is suspicious: none is constant, an identifier, a copy of another, ',
          'or predicts the label alone.',
        )
      : undefined,
    warnings.length > 0
      ? h(
          'ul',
          { class: 'warnings' },
          warnings.map((w) => h('li', {}, h('strong', {}, w.message), `: ${w.advice}`)),
        )
      : undefined,
    made,
  ].filter((part) => part);
};
