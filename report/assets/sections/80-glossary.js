sections.glossary = (terms) => [
  h(
    'dl',
    { class: 'terms wide' },
    terms.map((t) => [h('dt', {}, t.name), h('dd', {}, t.text)]),
  ),
];
