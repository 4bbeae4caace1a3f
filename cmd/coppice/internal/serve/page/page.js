// The page of a model: a form for a row with a live prediction, and a table that is scored.
const $ = (id) => document.getElementById(id);
const make = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
};

const mostFields = 40; // the others are folded away
const mostReasons = 8;

let model; // what /v1/models/NAME has
let fields = []; // of the form
let running; // the request for the prediction that is under way

// request sends a request, and throws an Error with the problem that the server answers.
async function request(path, options) {
  const r = await fetch(path, options);
  if (!r.ok) {
    const problem = await r.json().catch(() => ({}));
    throw Object.assign(new Error(problem.detail ?? problem.error ?? r.statusText), { problem });
  }
  return r;
}

const asked = () => ({ method: 'POST', body: JSON.stringify(row()), headers: { 'Content-Type': 'application/json' } });
const predictAt = (query) => `/v1/models/${encodeURIComponent(model.name)}/predict${query}`;
const short = (v) => (typeof v === 'number' ? Number(v.toPrecision(4)).toString() : `${v ?? 'none'}`);

// decimals returns how many digits behind the point numbers have, at most 6.
const decimals = (values) => Math.max(...values.map((v) => (v.toString().split('.')[1] ?? '').slice(0, 6).length));

// onScale returns the value at a place between quantiles, and placeOf the place of a value.
function onScale(quantiles, place) {
  const i = Math.min(Math.floor(place), quantiles.length - 2);
  return quantiles[i] + (quantiles[i + 1] - quantiles[i]) * (place - i);
}
function placeOf(quantiles, v) {
  const i = quantiles.findIndex((q) => q >= v);
  if (i <= 0) return i < 0 ? quantiles.length - 1 : 0;
  return i - (quantiles[i] - v) / (quantiles[i] - quantiles[i - 1]);
}

// numberField is a slider on the scale of different quantiles beside a number; an empty number is
// missing.
function numberField(id, schema) {
  const number = make('input', { type: 'number', step: 'any', id });
  const q = [...new Set(schema['x-quantiles'] ?? [])];
  if (q.length < 2) return { element: number, main: number, get: () => numberOf(number), set: (v) => (number.value = v ?? '') };
  const digits = decimals(q);
  const slider = make('input', { type: 'range', min: 0, max: q.length - 1, step: 0.05 });
  slider.addEventListener('input', () => (number.value = Number(onScale(q, Number(slider.value)).toFixed(digits))));
  const follow = () => number.value !== '' && (slider.value = placeOf(q, Number(number.value)));
  number.addEventListener('input', follow);
  return {
    element: make('div', { className: 'both' }, slider, number), main: number, second: slider,
    get: () => numberOf(number),
    set: (v) => { number.value = v ?? ''; follow(); },
  };
}
const numberOf = (input) => (input.value === '' ? null : Number(input.value));

// dateField takes dates, with a time where training had times. Quantiles are in microseconds.
function dateField(id, schema) {
  const q = schema['x-quantiles'] ?? [];
  const times = q.some((v) => v % 86400e6 !== 0);
  const input = make('input', { type: times ? 'datetime-local' : 'date', step: times ? 1 : '', id });
  return {
    element: input, main: input,
    get: () => (input.value === '' ? null : times ? `${input.value}${input.value.length === 16 ? ':00' : ''}Z` : input.value),
    set: (v) => (input.value = v ? v.replace(' ', 'T').replace('Z', '').slice(0, times ? 19 : 10) : ''),
  };
}

// levelField is a list of levels, which holds a missing value where the model takes one.
function levelField(id, schema, nullable) {
  const select = make('select', { id });
  for (const level of schema.examples) select.append(make('option', { value: `=${level}`, textContent: level }));
  if (nullable) select.append(make('option', { value: '', textContent: '(missing)' }));
  return { element: select, main: select, get: () => (select.value === '' ? null : select.value.slice(1)), set: (v) => (select.value = v == null ? '' : `=${v}`) };
}

function textField(id, kind) {
  const input = kind === 'text' ? make('textarea', { id, rows: 2 }) : make('input', { type: 'text', id });
  return { element: input, main: input, get: () => (input.value === '' && kind !== 'text' ? null : input.value), set: (v) => (input.value = v ?? '') };
}

// addField makes the field of a column.
function addField(to, name, schema, i) {
  const id = `field-${i}`;
  const kind = schema['x-kind'];
  let field;
  if (kind === 'numeric') field = numberField(id, schema);
  else if (kind === 'date') field = dateField(id, schema);
  else if (schema.examples) field = levelField(id, schema, schema.type.includes('null'));
  else field = textField(id, kind);
  field.second?.setAttribute('aria-label', `${name}, from least to most`);
  const note = make('div', { className: 'note', id: `${id}-note` });
  field.main.setAttribute('aria-describedby', note.id);
  const box = make('div', { className: 'field' }, make('label', { htmlFor: id, textContent: name }), field.element, note);
  to.append(box);
  fields.push(Object.assign(field, { name, note, box, typical: schema.default }));
}

const row = () => Object.fromEntries(fields.map((f) => [f.name, f.get()]));

// mark puts notes beside fields.
function mark(notes, wrong) {
  for (const f of fields) {
    f.note.textContent = notes[f.name] ?? '';
    f.box.classList.toggle('wrong', wrong && f.name in notes);
  }
}

function showProblem(error) {
  $('problem').hidden = !error;
  $('problem').textContent = error?.message ?? '';
}

function bar(name, value, text, from, size, against) {
  const fill = make('div', { className: against ? 'fill against' : 'fill' });
  fill.style.left = `${from}%`;
  fill.style.width = `${size}%`;
  const label = make('span', { textContent: name });
  if (value) label.append(make('span', { className: 'value', textContent: ` ${value}` }));
  return make('div', { className: 'bar' }, label, make('div', { className: 'track' }, fill), make('span', { textContent: text }));
}

// headline is a prediction in words.
function headline(p) {
  if (p.label !== undefined && p.probabilities) return `${p.label} (${(100 * p.probabilities[p.label]).toFixed(1)} %)`;
  if (p.label !== undefined) return `${p.label}, score ${short(p.score)}`;
  if (p.value !== undefined) return short(p.value);
  return Object.entries(p.quantiles ?? p.values).map(([k, v]) => `${p.quantiles ? `${k}: ` : ''}${short(v)}`).join(', ');
}

const flagWords = { new: 'no row of training had this category', missing: 'no row of training missed it', range: 'beyond all rows of training' };

function show(p) {
  showProblem();
  $('answer').textContent = headline(p);
  mark(Object.fromEntries((p.flags ?? []).map((f) => [f.column, flagWords[f.kind] ?? f.kind])), false);
  const classes = Object.entries(p.probabilities ?? {}).sort((a, b) => b[1] - a[1]).slice(0, 8);
  $('classes').replaceChildren(...classes.map(([name, v]) => bar(name, '', `${(100 * v).toFixed(1)} %`, 0, 100 * v)));
  const reasons = p.reasons ?? [];
  const most = Math.max(...reasons.map((r) => Math.abs(r.effect)), 1e-300);
  $('reasons').replaceChildren(...reasons.map((r) => {
    const size = (50 * Math.abs(r.effect)) / most;
    const towards = r.towards ? `, towards ${r.towards}` : ', against it';
    const b = bar(r.column, r.value, (r.effect > 0 ? '+' : '') + short(r.effect), r.effect > 0 ? 50 : 50 - size, size, r.effect < 0);
    b.title = `${r.column} ${r.value}${towards}`;
    return b;
  }));
  const plus = reasons.find((r) => r.effect > 0)?.towards;
  $('reasons-title').hidden = reasons.length === 0;
  $('reasons-title').textContent = plus ? `Reasons: + is ${plus === 'up' ? '' : 'towards '}${plus}` : 'Reasons';
}

let reasons = true; // the model gives some

async function predict() {
  running?.abort();
  running = new AbortController();
  try {
    const query = reasons ? `?reasons=${mostReasons}` : '';
    const r = await request(predictAt(query), { ...asked(), signal: running.signal });
    show(await r.json());
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (reasons && error.message.startsWith('the model gives no reasons')) {
      reasons = false;
      await predict();
      return;
    }
    showProblem(error);
    mark(Object.fromEntries((error.problem?.errors ?? []).map((e) => [e.column, e.detail])), true);
  }
}

let timer;
function predictSoon() {
  clearTimeout(timer);
  timer = setTimeout(predict, 80);
  $('change').replaceChildren();
}

// why looks for the smallest change and offers to make it.
async function why() {
  const want = model.classes ? $('want').value : $('bound').value.replaceAll(' ', '');
  $('change').textContent = 'searching ...';
  try {
    const query = `?why=1${want === '' ? '' : `&want=${encodeURIComponent(want)}`}`;
    const { why: found } = await (await request(predictAt(query), asked())).json();
    if (found.reached) return void ($('change').textContent = 'It is predicted so already.');
    if (found.changes.length === 0) return void ($('change').textContent = found.exact ? 'No possible change does.' : 'None was found.');
    const text = (v) => (v === null ? '(missing)' : v);
    const list = make('ul', {}, ...found.changes.map((c) => make('li', { textContent: `${c.column}: ${text(c.from)} → ${text(c.to)}` })));
    const apply = make('button', { type: 'button', textContent: 'Make the change' });
    apply.addEventListener('click', () => {
      for (const c of found.changes) fields.find((f) => f.name === c.column)?.set(c.to);
      predictSoon();
      $('why').focus();
    });
    const size = found.exact ? 'The smallest change' : 'A change';
    $('change').replaceChildren(make('p', { textContent: `${size} gives ${headline(found)}:` }), list, apply);
  } catch (error) {
    $('change').replaceChildren(make('p', { className: 'problem', textContent: error.message }));
  }
}

// records divides CSV into its records, as they are written.
function records(text) {
  const all = [];
  let quoted = false;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    if (i < text.length && (quoted || text[i] !== '\n')) continue;
    const one = text.slice(from, i).replace(/\r$/, '');
    if (one !== '') all.push(one);
    from = i + 1;
  }
  return all;
}

// cells divides a record into its fields.
const cells = (record) => [...record.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2]);

// score sends a table and gives it back with the predictions behind its columns.
async function score(file) {
  $('scored').className = '';
  $('scored').textContent = 'predicting ...';
  $('preview').hidden = true;
  try {
    const text = await file.text();
    const query = reasons ? '?reasons=3' : '';
    const answer = await request(predictAt(query), { method: 'POST', body: text, headers: { 'Content-Type': 'text/csv' } });
    const predicted = records(await answer.text());
    const own = records(text);
    const joined = own.length === predicted.length ? predicted.map((line, i) => `${own[i]},${line}`) : predicted;
    const name = file.name.replace(/(\.csv)?$/i, '.predicted.csv');
    const link = make('a', { download: name, textContent: name, href: URL.createObjectURL(new Blob([`${joined.join('\n')}\n`], { type: 'text/csv' })) });
    $('scored').replaceChildren(`${predicted.length - 1} rows are predicted: `, link);
    const table = make('table', {}, ...predicted.slice(0, 6).map((line, i) => make('tr', {}, ...cells(line).map((c) => make(i === 0 ? 'th' : 'td', { textContent: /^-?\d*\.\d{5,}$/.test(c) ? short(Number(c)) : c })))));
    $('preview').replaceChildren(table);
    $('preview').hidden = false;
  } catch (error) {
    $('scored').className = 'problem';
    $('scored').textContent = error.message;
  }
}

// open makes the form of a model.
async function open(name) {
  const path = `/v1/models/${encodeURIComponent(name)}`;
  const schema = await (await request(`${path}/schema`)).json();
  model = await (await request(path)).json();
  reasons = true;
  document.title = `${name} - Coppice`;
  $('title').textContent = name;
  $('about').textContent = `predicts ${model.label ?? 'anomalies'} (${model.task}), version ${model.version}, ${model.learner}`;
  fields = [];
  $('fields').replaceChildren();
  $('others').replaceChildren();
  const order = schema['x-order'];
  order.forEach((column, i) => addField(i < mostFields ? $('fields') : $('others'), column, schema.properties[column], i));
  $('more').hidden = order.length <= mostFields;
  $('more').firstElementChild.textContent = `${order.length - mostFields} further columns`;
  $('want-label').hidden = !model.classes;
  $('bound-label').hidden = Boolean(model.classes);
  $('want').replaceChildren(make('option', { value: '', textContent: 'any other class' }), ...(model.classes ?? []).map((c) => make('option', { value: c, textContent: c })));
  $('file').value = '';
  $('scored').replaceChildren();
  $('preview').hidden = true;
  reset();
}

function reset() {
  for (const f of fields) f.set(f.typical);
  predictSoon();
}

async function start() {
  $('row').addEventListener('input', predictSoon);
  $('row').addEventListener('submit', (e) => e.preventDefault());
  $('reset').addEventListener('click', reset);
  $('why').addEventListener('click', why);
  $('models').addEventListener('change', () => open($('models').value).catch(showProblem));
  $('file').addEventListener('change', () => $('file').files[0] && score($('file').files[0]));
  const drop = $('drop');
  document.addEventListener('dragover', (e) => { e.preventDefault(); drop.classList.add('over'); });
  document.addEventListener('dragleave', (e) => e.relatedTarget || drop.classList.remove('over'));
  document.addEventListener('drop', (e) => {
    e.preventDefault();
    drop.classList.remove('over');
    if (e.dataTransfer.files[0]) score(e.dataTransfer.files[0]);
  });
  const { models } = await (await request('/v1/models')).json();
  const names = [...new Set(models.map((m) => m.model))];
  if (names.length === 0) throw new Error('No model is loaded.');
  $('models').replaceChildren(...names.map((n) => make('option', { value: n, textContent: n })));
  $('chooser').hidden = names.length < 2;
  await open(names[0]);
}

start().catch(showProblem);
