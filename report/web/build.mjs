// Builds charts.min.js, which pages of coppice report contain, and licenses.txt of all packages in
// it. `npm ci --ignore-scripts && npm run build` writes the same bytes on every machine;
// .ci/bundle compares them. --out FOLDER writes elsewhere.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const out = process.argv[2] === '--out' ? process.argv[3] : '.';

const result = await build({
  entryPoints: ['entry.mjs'],
  outfile: join(out, 'charts.min.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  charset: 'ascii', // the page may be read in any encoding
  legalComments: 'none', // licenses.txt has the whole texts
  metafile: true,
});

// A package is the folder after the last node_modules of a path; a scope has one folder more.
const folders = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) folders.add(found[1]);
}

// Packages with one licence text are listed above it together.
const texts = new Map();
for (const folder of [...folders].sort()) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  if (!file) throw new Error(`${name} has no licence text`);
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
}
let all = 'The charts of this page are drawn by these packages.\n';
for (const [text, packages] of texts) {
  all += `\n${'-'.repeat(80)}\n${packages.join('\n')}\n\n${text}\n`;
}
writeFileSync(join(out, 'licenses.txt'), all);
