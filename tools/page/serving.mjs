// Opens the page of coppice serve in headless Chromium and fails on what it must not have: an error
// on the console, a request to others, a violation that axe-core finds, a page that scrolls sideways
// on a phone, or more than 25 kB. It fills in each model's form by the keyboard, makes the smallest
// change, and scores a table.
//
//	node tools/page/serving.mjs [--shots FOLDER] [--browser /usr/bin/chromium] ADDRESS TABLE.csv
//
// The address serves models; the table is one for the first of them.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const flags = { browser: '/usr/bin/chromium' };
const operands = [];
for (const words = process.argv.slice(2); words.length > 0;) {
  const word = words.shift();
  if (word.startsWith('--')) flags[word.slice(2)] = words.shift();
  else operands.push(word);
}
const [address, table] = operands;
// packages are those of the folder that the command is run in
const require = createRequire(join(process.cwd(), 'serving.mjs'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const mostBytes = 25_000;

const views = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
];

const answer = (page) => page.locator('#answer').textContent();

// settled waits until nothing is under way.
async function settled(page) {
  await page.waitForTimeout(150);
  await page.waitForLoadState('networkidle');
}

// use fills in the form of a model as people without a mouse do.
async function use(page, model, faults) {
  if ((await answer(page)) === '') faults.push(`no prediction: ${await page.locator('#problem').textContent()}`);
  const slider = page.locator('#row input[type=range]').first();
  if ((await slider.count()) > 0) {
    const number = page.locator('#row input[type=number]').first();
    const before = await number.inputValue();
    await slider.focus();
    for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowRight');
    if ((await number.inputValue()) === before) faults.push('the slider does not move the number');
    await number.fill('1e9');
    await settled(page);
    const note = await page.locator('.field:has(input[type=range]) .note').first().textContent();
    if (!note.includes('beyond') && model !== 'attack') faults.push(`no flag beside 1e9: ${note}`);
    await page.locator('#reset').press('Enter');
    await settled(page);
  }
  const before = await answer(page);
  await page.locator('#why').press('Enter');
  await page.waitForFunction(() => !/^(searching.*)?$/.test(document.querySelector('#change').textContent));
  const change = page.locator('#change button');
  if ((await change.count()) > 0) {
    await change.press('Enter');
    await settled(page);
    if ((await answer(page)) === before) faults.push(`the change leaves ${before}`);
  } else if (model.endsWith('iris')) faults.push(await page.locator('#change').textContent());
}

// scored gives the page a table, and compares the number of predictions that it gives back.
async function scored(page, faults) {
  await page.locator('#file').setInputFiles(table);
  const link = page.locator('#scored a');
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
  const text = readFileSync(await download.path(), 'utf8').trim().split('\n');
  const rows = readFileSync(table, 'utf8').trim().split('\n').length;
  if (text.length !== rows || !/,prediction,/.test(text[0])) faults.push(`${text.length} lines of ${rows}: ${text[0]}`);
}

// check opens the page in a view and returns its faults.
async function check(browser, view) {
  const faults = [];
  const context = await browser.newContext({
    colorScheme: view.colorScheme,
    viewport: { width: view.width, height: view.height },
  });
  const page = await context.newPage();
  const sizes = [];
  page.on('console', (m) => {
    // what a row is refused for is an answer, and Chromium's own line about it no fault
    if ((m.type() === 'error' || m.type() === 'warning') && !/status of 4\d\d/.test(m.text())) faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('dialog', (d) => {
    faults.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  page.on('request', (r) => {
    if (!r.url().startsWith(address) && !r.url().startsWith('blob:')) faults.push(`request: ${r.url()}`);
  });
  page.on('response', (r) => {
    if (r.url() === `${address}/` || r.url().includes('/ui/')) sizes.push(r.body().then((b) => b.length));
  });
  await page.goto(`${address}/`);
  await settled(page);
  const bytes = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
  if (!(bytes > 1000 && bytes < mostBytes)) faults.push(`${bytes} bytes`);
  const models = await page.locator('#models option').allTextContents();
  for (const model of models) {
    if (models.length > 1) await page.locator('#models').selectOption(model);
    await settled(page);
    await use(page, model, faults);
    if (model === models[0]) await scored(page, faults);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) faults.push(`${model}: the page is ${wide} px wider than the screen`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const v of violations) faults.push(`${model}: axe ${v.id}: ${v.help}: first ${v.nodes[0].html} ${v.nodes[0].failureSummary}`);
    if (flags.shots) await page.screenshot({ path: join(flags.shots, `${model}-${view.name}.png`), fullPage: true });
  }
  await context.close();
  console.log(`${address} ${view.name}: ${models.length} models, ${bytes} bytes, ${faults.length} faults`);
  return faults;
}

const browser = await chromium.launch({ executablePath: flags.browser, args: ['--no-sandbox', '--disable-gpu'] });
let failed = false;
for (const view of views) {
  for (const fault of await check(browser, view)) {
    failed = true;
    console.log(`  ${fault}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
