sections.overview = (o) => {
  const metrics = content('errors')?.metrics ?? [];
  const parts = [];
  if (metrics.length > 0) {
    parts.push(
      h(
        'ul',
        { class: 'cards', 'aria-label': 'Metrics' },
        metrics
          .slice(0, 6)
          .map((m) =>
            h(
              'li',
              {},
              h('strong', {}, number(m.value)),
              h('span', {}, m.name),
              h('small', {}, `${number(m.low)} to ${number(m.high)}`),
            ),
          ),
      ),
    );
  }
  parts.push(facts(o.facts));
  if (o.parameters?.length > 0) {
    parts.push(
      h(
        'details',
        {},
        h('summary', {}, `Parameters of the training (${o.parameters.length})`),
        table(
          'Parameters; marked are those that were changed from their defaults',
          [
            { name: 'parameter', cell: (p) => p.name },
            {
              name: 'value',
              cell: (p) => (p.value === p.default ? p.value : h('mark', {}, p.value)),
            },
            { name: 'default', cell: (p) => p.default },
            { name: 'meaning', long: true, cell: (p) => p.help },
          ],
          o.parameters,
          { line: (line, p) => p.value === p.default && line.classList.add('screen') },
        ),
      ),
    );
  }
  return parts;
};
