// reasonsOf lists the contributions of a row as bars to both sides.
const reasonsOf = (line, most) =>
  h(
    'ul',
    { class: 'reasons' },
    (line.reasons ?? []).map((r) => {
      const up = r.contribution > 0;
      const mark = h('span', { class: up ? 'up' : 'down', 'aria-hidden': 'true' });
      mark.style.width = `${Math.max(1, (60 * Math.abs(r.contribution)) / most)}px`;
      return h(
        'li',
        {},
        mark,
        h('span', {}, `${r.feature} = ${r.value}`),
        h('b', {}, `${up ? '+' : '−'}${number(Math.abs(r.contribution), 3)}`),
      );
    }),
  );

sections.rows = (r) => {
  const most = Math.max(
    1e-300,
    ...r.rows.flatMap((l) => (l.reasons ?? []).map((reason) => Math.abs(reason.contribution))),
  );
  const cell = (v) => (typeof v === 'number' ? number(v) : (v ?? '–'));
  const labeled = r.rows.some((l) => l.label !== null);
  const columns = [
    { name: 'row', cell: (l) => number(l.row, 9), order: (l) => l.row },
    ...(content('trees')?.rows
      ? [
          {
            name: 'path',
            screen: true,
            cell: (l) =>
              h(
                'button',
                {
                  class: 'small',
                  'aria-label': `in trees: the path of row ${l.row}`,
                  click: () => document.dispatchEvent(new CustomEvent('path', { detail: l.row })),
                },
                'in trees',
              ),
          },
        ]
      : []),
    ...(labeled ? [{ name: 'label', cell: (l) => cell(l.label), order: (l) => l.label }] : []),
    {
      name: 'prediction',
      order: (l) => l.prediction,
      cell: (l) => {
        const p =
          r.classes && l.response.length > 1
            ? l.response[r.classes.indexOf(l.prediction)]
            : undefined;
        return p === undefined ? cell(l.prediction) : `${l.prediction} (${percent(p)})`;
      },
    },
    ...(labeled
      ? [
          {
            name: r.classes ? '1 − probability of the label' : 'error',
            number: true,
            cell: (l) => number(l.wrong, 3),
            order: (l) => l.wrong,
          },
        ]
      : []),
    ...(r.scale
      ? [
          {
            name: `strongest contributions (${r.scale})`,
            long: true,
            cell: (l) => reasonsOf(l, most),
          },
        ]
      : []),
  ];
  const of = [...new Set(r.rows.map((l) => l.of).filter((c) => c))];
  const made = table('Rows of the table: the worst ones, then random ones', columns, r.rows);
  made.classList.add('rows');
  made.querySelector('.scroll').classList.add('tall');
  return [
    r.missing ? note(r.missing) : undefined,
    r.scale && of.length === 1
      ? h(
          'p',
          {},
          'Contributions are to the ',
          r.scale,
          ' of ',
          h('strong', {}, of[0]),
          ': orange raises it, blue lowers it.',
        )
      : undefined,
    r.scale && of.length > 1
      ? h(
          'p',
          {},
          'Contributions are to the ',
          r.scale,
          ' of the predicted class: orange raises it, blue lowers it.',
        )
      : undefined,
    made,
    r.rows.length > 15 ? h('p', { class: 'print' }, '15 rows are printed.') : undefined,
  ].filter((part) => part);
};
