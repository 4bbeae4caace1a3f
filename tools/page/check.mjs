// Opens pages of coppice report in headless Chromium and fails on what they must not have: an error
// on the console, a request, a violation that axe-core finds, a page that scrolls sideways on a
// phone, or a first paint after 2 s.
//
//	npm install --no-save --ignore-scripts playwright-core axe-core   (in any folder)
//	node tools/page/check.mjs [--shots FOLDER] [--browser /usr/bin/chromium] PAGE.html...
//
// With --shots it writes pictures of each page: light, dark, and as wide as a phone.
import { createRequire } from 'node:module';
import { readFileSync, statSync } from 'node:fs';
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

const views = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
];

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
  const url = `file://${resolve(path)}`;
  const started = Date.now();
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.drawn === 'yes', undefined, {
    timeout: 60_000,
  });
  const drawn = Date.now() - started;
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  );
  if (!(paint < 2000)) faults.push(`first paint after ${paint} ms`);
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (wide > 0) faults.push(`the page is ${wide} px wider than the screen`);
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
  console.log(
    `${path} ${view.name}: first paint ${Math.round(paint)} ms, drawn ${drawn} ms,` +
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
