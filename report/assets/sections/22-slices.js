sections.slices = (r) => {
  if (r.slices === null || r.slices.length === 0) {
    return [
      note(
        `For no values of a single column is the ${r.loss} clearly greater than `,
        `${number(r.overall)}, that of all ${number(r.rows, 9)} rows.`,
      ),
    ];
  }
  const most = Math.max(...r.slices.map((s) => s.high));
  return [
    h(
      'p',
      {},
      `The ${r.loss} of all ${number(r.rows, 9)} rows is ${number(r.overall)}. These rows `,
      'have a greater one, by more than chance explains.',
    ),
    table(
      `Slices with the greatest ${r.loss}, and intervals of 95 %`,
      [
        { name: 'column', cell: (s) => s.column },
        { name: 'values', cell: (s) => s.values },
        { name: 'rows', number: true, cell: (s) => number(s.rows, 9), order: (s) => s.rows },
        {
          name: r.loss,
          order: (s) => s.mean,
          cell: (s) =>
            h(
              'span',
              { class: 'measured' },
              bar(s.mean, most, s.low, s.high),
              h('span', {}, number(s.mean, 3)),
            ),
        },
        { name: 'times the mean', number: true, cell: (s) => number(s.mean / r.overall, 3) },
      ],
      r.slices,
    ),
  ];
};
