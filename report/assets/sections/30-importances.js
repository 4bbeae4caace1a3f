sections.importances = (r) => {
  const all = r.features.filter((f) => f.values.some((v) => v));
  const most = r.kinds.map((_, k) => Math.max(0, ...all.map((f) => f.values[k] ?? 0)));
  const unused = r.features.length - all.length;
  const cell = (f, k) => {
    const v = f.values[k];
    if (v === null) return '–';
    const half = f.errors[k];
    const drawn = half === null ? bar(v, most[k]) : bar(v, most[k], v - half, v + half);
    const text = half === null ? number(v, 3) : `${number(v, 3)} ± ${number(half, 2)}`;
    return h('span', { class: 'measured' }, drawn, h('span', {}, text));
  };
  const few = 15;
  const of = (list) =>
    table(
      'Importances side by side; lines are intervals of 95 %',
      [
        { name: 'feature', cell: (f) => f.name, order: (f) => -all.indexOf(f) },
        ...r.kinds.map((kind, k) => ({
          name: kind.name,
          cell: (f) => cell(f, k),
          order: (f) => f.values[k],
        })),
      ],
      list,
    );
  const holder = h('div', {}, of(all.slice(0, few)));
  const more =
    all.length > few &&
    h(
      'button',
      {
        click: () => {
          holder.replaceChildren(of(all));
          more.remove();
        },
      },
      `Show all ${all.length} features`,
    );
  return [
    h(
      'dl',
      { class: 'terms' },
      r.kinds.map((k) => [h('dt', {}, k.name), h('dd', {}, k.help)]),
    ),
    holder,
    more || undefined,
    unused > 0 ? note(`${unused} other columns have no importance of any kind.`) : undefined,
    ...(r.notes ?? []).map((text) => note(text)),
  ].filter((part) => part);
};
