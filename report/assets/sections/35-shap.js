// ranks places the values of a feature from 0, the lowest, to 1; -1 for texts and missing ones,
// since charts leave out points with null.
const ranks = (feature) => {
  if (!feature.number) return feature.values.map(() => -1);
  const sorted = [...new Set(feature.values.filter((v) => v !== null))].sort((a, b) => a - b);
  const place = new Map(
    sorted.map((v, i) => [v, sorted.length > 1 ? i / (sorted.length - 1) : 0.5]),
  );
  return feature.values.map((v) => place.get(v) ?? -1);
};

const lowToHigh = {
  scale: { domain: [0, 1], range: ['#0072b2', '#b9a7ad', '#d55e00'] },
  legend: {
    title: ['value of the feature', 'grey: categories, missing'],
    format: '.0%',
    gradientLength: 160,
    titleLimit: 400,
    values: [0, 1],
    labelExpr: "datum.value < 0.5 ? 'low' : 'high'",
  },
};

// beeswarm spreads points of nearly equal contribution, so that none hides another.
const beeswarm = (r, score, shownRows) => {
  const rows = [];
  const spans = r.features.map((f) => f.contrib[score]);
  const low = Math.min(...spans.flat());
  const step = (Math.max(...spans.flat()) - low) / 90 || 1;
  r.features.forEach((f, k) => {
    const order = ranks(f);
    const counts = new Map();
    for (let i = 0; i < shownRows; i += 1) {
      const at = Math.floor((f.contrib[score][i] - low) / step);
      const n = counts.get(at) ?? 0;
      counts.set(at, n + 1);
      rows.push({
        k,
        f: f.name,
        c: f.contrib[score][i],
        r: order[i],
        v: asDate(f, f.values[i]) ?? 'missing',
        n,
        at,
      });
    }
    const widest = Math.max(...counts.values());
    for (const row of rows) {
      if (row.k !== k) continue;
      const side = row.n % 2 === 0 ? 1 : -1;
      row.o = (side * Math.ceil(row.n / 2)) / Math.max(6, widest / 2);
    }
  });
  return rows;
};

const beeswarmSpec = (r, score, shownRows) => ({
  data: values(beeswarm(r, score, shownRows)),
  height: 34 * r.features.length,
  layer: [
    {
      mark: { type: 'rule', strokeDash: [3, 3] },
      encoding: { x: { datum: 0 } },
      data: values([{}]),
    },
    {
      mark: { type: 'point', size: 14, opacity: 0.75 },
      encoding: {
        x: x('c', `contribution to the ${r.scale}`),
        y: nominal('f', null, { sort: null, axis: { grid: true, labelLimit: 180 } }),
        yOffset: { field: 'o', type: 'quantitative', scale: { domain: [-1.15, 1.15] } },
        color: {
          condition: { test: 'datum.r < 0', value: '#8a949e' },
          ...x('r', ''),
          ...lowToHigh,
        },
        tooltip: shown(['f', 'feature'], ['v', 'value'], ['c', 'contribution', '.4~g']),
      },
    },
  ],
});

// dependenceSpec draws contributions of a feature over its values, coloured by another feature.
const dependenceSpec = (r, score, k, other) => {
  const [f, by] = [r.features[k], r.features[other]];
  const order = ranks(by);
  const levels = by.number ? [] : [...new Set(by.values)].slice(0, 8);
  const rows = f.values.map((v, i) => ({
    v: v ?? (f.number ? null : 'missing'),
    c: f.contrib[score][i],
    r: order[i],
    w: asDate(by, by.values[i]) ?? 'missing',
    t: asDate(f, v) ?? 'missing',
    o: ((i * 0.618034) % 1) - 0.5,
  }));
  const colour = by.number
    ? {
        condition: { test: 'datum.r < 0', value: '#8a949e' },
        ...x('r', ''),
        ...lowToHigh,
        legend: { ...lowToHigh.legend, title: `${by.name}: low to high` },
      }
    : nominal('w', by.name, {
        scale: { domain: levels.map((w) => w ?? 'missing'), range: colours },
      });
  return {
    data: values(rows.filter((row) => row.v !== null)),
    mark: { type: 'point', size: 22, opacity: 0.7 },
    encoding: {
      x: f.number
        ? overValues('v', f, f.values)
        : nominal('v', f.name, { axis: { labelAngle: -40 } }),
      ...(f.number
        ? {}
        : { xOffset: { field: 'o', type: 'quantitative', scale: { domain: [-1, 1] } } }),
      y: x('c', `contribution to the ${r.scale}`),
      color: colour,
      tooltip: shown(['t', 'value'], ['c', 'contribution', '.4~g'], ['w', 'by']),
    },
  };
};

sections.shap = (r) => {
  const pick = { score: r.first, k: 0, other: Math.min(1, r.features.length - 1) };
  const shownRows = Math.min(r.rows, Math.floor(4000 / Math.max(1, r.features.length)));
  const [swarm, drawSwarm] = changing('Contributions of the strongest features');
  const [dependence, drawDependence] = changing('Dependence');
  const of = () => (r.scores.length > 1 ? ` of class ${r.scores[pick.score]}` : '');
  const show = () => {
    const f = r.features[pick.k];
    drawDependence(
      `Contribution of ${f.name}${of()} over its values, coloured by ` +
        `${r.features[pick.other].name}.`,
      dependenceSpec(r, pick.score, pick.k, pick.other),
      `Contribution of ${f.name} over its values`,
    );
  };
  const showAll = () => {
    drawSwarm(
      `Contributions of ${r.features.length} features to the ${r.scale}${of()}, the ` +
        `strongest first: ${r.features.map((f) => f.name).join(', ')}.`,
      beeswarmSpec(r, pick.score, shownRows),
    );
    show();
  };
  const parts = [
    h(
      'p',
      {},
      `A point is a row: how far the feature moves its ${r.scale} `,
      r.scores.length === 1 ? h('span', {}, 'of ', h('strong', {}, r.scores[0]), ' ') : undefined,
      'up or down from the mean. The contributions of a row add up to its prediction, so a ',
      'feature that matters in few rows is seen too.',
    ),
    r.scores.length > 1
      ? choice(
          'class',
          r.scores,
          (i) => {
            pick.score = i;
            showAll();
          },
          r.first,
        )
      : undefined,
    swarm,
    r.others > 0
      ? note(`${r.others} features with smaller contributions are not shown.`)
      : undefined,
    r.divided?.length > 0
      ? note(
          `The model makes ${r.divided.length === 1 ? 'a column' : `${r.divided.length} columns`} of `,
          `several, such as ${r.divided[0]}. Contributions of these are divided equally among the `,
          'features that they are made of.',
        )
      : undefined,
    h('h3', {}, 'Dependence on one feature'),
    h(
      'div',
      { class: 'choices' },
      choice(
        'feature',
        r.features.map((f) => f.name),
        (i) => {
          pick.k = i;
          show();
        },
      ),
      choice(
        'coloured by',
        r.features.map((f) => f.name),
        (i) => {
          pick.other = i;
          show();
        },
        pick.other,
      ),
    ),
    dependence,
  ];
  showAll();
  return parts.filter((part) => part);
};
