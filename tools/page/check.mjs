// Opens pages of coppice report in headless Chromium and fails on what they must not have: an error
// on the console, a request, a violation that axe-core finds, a page that scrolls sideways on a
// phone, a first paint after 2 s, more than 600 kB, or a chart that is not drawn: without scripts, at
// once, or in print.
//
//	npm install --no-save --ignore-scripts playwright-core axe-core   (in any folder)
//	node tools/page/check.mjs [--shots FOLDER] [--browser /usr/bin/chromium] PAGE.html...
//
// With --shots it writes pictures of each page: light, dark, as wide as a phone, without scripts, and
// as it is printed.
import { createRequire } from 'node:module';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const { values: flags, pages } = read(process.argv.slice(2));
// packages are those of the folder that the command is run in
const require = createRequire(join(process.cwd(), 'check.mjs'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// read divides arguments into flags with a value and pages.
function read(words) {
  const found = { values: { browser: '/usr/bin/chromium' }, pages: [] };
  while (words.length > 0) {
    const word = words.shift();
    if (word.startsWith('--')) found.values[word.slice(2)] = words.shift();
    else found.pages.push(word);
  }
  return found;
}

const mostBytes = 600_000;

const views = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
  { name: 'still', colorScheme: 'light', width: 1280, height: 900, still: true },
];

// drawings returns the captions of the charts that have no size, and how many charts there are.
const drawings = () => {
  const figures = [...document.querySelectorAll('figure, .viewer')];
  const empty = figures.filter((f) => !(f.querySelector('svg path')?.getBoundingClientRect().height >= 0)
    || !(f.querySelector('svg').getBoundingClientRect().height > 20));
  return { number: figures.length, empty: empty.map((f) => f.textContent.slice(0, 60)) };
};

// point moves the pointer over a chart, sorts a table and moves the slider, as far as there are any.
async function use(page, faults) {
  const mark = page.locator('svg.chart path.m').first();
  if ((await mark.count()) > 0) {
    await mark.scrollIntoViewIfNeeded();
    const place = await mark.evaluate((path) => {
      const at = path.getPointAtLength(0).matrixTransform(path.getScreenCTM());
      return { x: at.x, y: at.y };
    });
    await page.mouse.move(place.x + 1, place.y + 1);
    if (!(await page.locator('.tooltip').isVisible())) faults.push('no box beside the pointer');
  }
  const head = page.locator('#rows th[data-sort] button').first();
  if ((await head.count()) > 0) {
    await head.click();
    const order = await page.$$eval('#rows tbody tr', (rows) =>
      rows.map((row) => Number(row.cells[0].textContent)),
    );
    if (order.some((n, i) => i > 0 && n > order[i - 1])) faults.push(`rows in the order ${order}`);
  }
  const slider = page.locator('#threshold');
  if ((await slider.count()) > 0) {
    await slider.fill('0');
    const recall = await page.locator('.thresholds tbody tr').first().locator('td').nth(1).textContent();
    if (recall !== '1.000') faults.push(`at the lowest threshold the recall is ${recall}`);
  }
}

// printed fails where a page that was just opened does not print all of its charts.
async function printed(page, path, faults) {
  await page.emulateMedia({ media: 'print' });
  const { empty } = await page.evaluate(drawings);
  if (empty.length > 0) faults.push(`not drawn in print: ${empty.join('; ')}`);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  if (flags.shots) writeFileSync(join(flags.shots, `${basename(path, '.html')}.pdf`), pdf);
  await page.emulateMedia({ media: 'screen' });
}

// check opens a page in a view and returns its faults.
async function check(browser, path, view) {
  const faults = [];
  const context = await browser.newContext({
    colorScheme: view.colorScheme,
    viewport: { width: view.width, height: view.height },
    bypassCSP: false,
  });
  const page = await context.newPage();
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (!/^(file|data|blob):/.test(r.url())) faults.push(`request: ${r.url()}`);
  });
  page.on('dialog', (d) => {
    faults.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  // a browser without scripts cannot be asked anything: it shows a copy that has none
  const shown = view.still ? `${path}.still.html` : path;
  if (view.still) {
    const text = readFileSync(path, 'utf8').replace(/<script[^]*?<\/script>/g, '');
    writeFileSync(shown, text);
  }
  const url = `file://${resolve(shown)}`;
  const started = Date.now();
  await page.goto(url);
  const { number, empty } = await page.evaluate(drawings);
  const drawn = Date.now() - started;
  if (empty.length > 0) faults.push(`not drawn: ${empty.join('; ')}`);
  if (view.still) await printed(page, path, faults);
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  );
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  );
  if (!(paint < 2000)) faults.push(`first paint after ${paint} ms`);
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (wide > 0) faults.push(`the page is ${wide} px wider than the screen`);
  if (statSync(path).size > mostBytes) faults.push(`${statSync(path).size} bytes`);
  if (!view.still) await use(page, faults);
  // axe-core is run in the page's own world by the debugger, which no policy concerns
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  for (const v of violations) {
    faults.push(
      `axe ${v.id}: ${v.help}: ${v.nodes.length} times, first ${v.nodes[0].html}` +
        ` ${v.nodes[0].failureSummary}`,
    );
  }
  if (flags.shots) {
    await page.screenshot({
      path: join(flags.shots, `${basename(path, '.html')}-${view.name}.png`),
      fullPage: true,
    });
  }
  await context.close();
  if (view.still) unlinkSync(shown);
  console.log(
    `${path} ${view.name}: first paint ${Math.round(paint)} ms, ${number} charts in ${drawn} ms,` +
      ` ${statSync(path).size} bytes, ${faults.length} faults`,
  );
  return faults;
}

const browser = await chromium.launch({
  executablePath: flags.browser,
  args: ['--no-sandbox', '--disable-gpu'],
});
let failed = false;
for (const path of pages) {
  for (const view of views) {
    for (const fault of await check(browser, path, view)) {
      failed = true;
      console.log(`  ${fault}`);
    }
  }
}
await browser.close();
process.exit(failed || pages.length === 0 ? 1 : 0);
