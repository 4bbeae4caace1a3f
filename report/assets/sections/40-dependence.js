// dependenceLines makes the chart of a feature: single rows, their mean, and local effects.
const dependenceLines = (r, f, output) => {
  const up = r.classes
    ? x('p', `probability of ${r.outputs[output]}`)
    : x('p', r.outputs[output], { scale: { zero: false } });
  const across = f.number
    ? overValues('v', f, f.values, { nice: false })
    : nominal('v', f.name, { sort: null, axis: { labelAngle: -40 } });
  const rowsOf = (list, at, name, id = 0) =>
    list.map((p, i) => ({ v: at[i], t: asDate(f, at[i]), p, i, name, id }));
  const mean = rowsOf(f.mean[output], f.values, 'partial dependence');
  const local = f.local ? rowsOf(f.local[output], f.at, 'accumulated local effect') : [];
  const each =
    output === r.first ? f.each.flatMap((line, id) => rowsOf(line, f.values, 'row', id)) : [];
  const order = { field: 'i', type: 'quantitative' };
  const kinds = {
    scale: {
      domain: ['partial dependence', 'accumulated local effect'],
      range: ['var(--series)', 'var(--above)'],
    },
  };
  const tips = shown(['t', 'value'], ['p', 'prediction', '.4~g'], ['name', 'curve']);
  const mark = f.number
    ? { type: 'line', strokeWidth: 2.5 }
    : { type: 'point', size: 60, opacity: 1 };
  return {
    layer: [
      {
        data: values(each),
        mark: f.number
          ? { type: 'line', strokeWidth: 0.7, opacity: 0.4, color: 'var(--faded)' }
          : { type: 'tick', thickness: 1, opacity: 0.35, color: 'var(--faded)' },
        encoding: { x: across, y: up, ...(f.number ? { detail: { field: 'id' }, order } : {}) },
      },
      {
        data: values([...local, ...mean]),
        mark,
        encoding: {
          x: across,
          y: up,
          color: nominal('name', null, kinds),
          tooltip: tips,
          ...(f.number ? { order } : {}),
        },
      },
    ],
  };
};

sections.dependence = (r) => {
  const figures = r.features.map((f) => changing(f.name));
  const show = (output) =>
    r.features.forEach((f, i) =>
      figures[i][1](
        `Partial dependence of ${r.outputs[output]} on ${f.name}.`,
        dependenceLines(r, f, output),
      ),
    );
  show(r.first);
  const lines = Math.min(30, r.features[0].each.length);
  return [
    h(
      'p',
      {},
      `Means over ${r.rows} rows, for the strongest features. Thin grey lines are `,
      `${lines} single rows. Accumulated local effects move each row only to near values, so `,
      'they also hold where features depend on each other.',
    ),
    r.outputs.length > 1 ? choice('class', r.outputs, show, r.first) : undefined,
    h(
      'div',
      { class: 'grid' },
      figures.map(([figure]) => figure),
    ),
  ].filter((part) => part);
};
