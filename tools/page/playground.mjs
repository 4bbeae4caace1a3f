// Opens the playground in headless Chromium and fails on what it must not have: an error on the
// console, a request to another place, a violation that axe-core finds, a page that scrolls sideways
// on a phone, a scene that stays empty, an answer of a lesson that does not open by keyboard, and
// points that cannot be placed or removed by mouse and by keyboard, with a picture that follows.
//
//	npm install --no-save --ignore-scripts playwright-core axe-core   (in any folder)
//	node tools/page/playground.mjs [--shots FOLDER] [--browser /usr/bin/chromium] PLACE...
//
// A place is the address of coppice lab --serve, or a folder of coppice lab --export, which is
// served here and opened in one view. With --shots it writes pictures of each scene: light, dark,
// and as wide as a phone.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const { values: flags, places } = read(process.argv.slice(2));
// packages are those of the folder that the command is run in
const require = createRequire(join(process.cwd(), 'check.mjs'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// read divides arguments into flags with a value and places.
function read(words) {
  const found = { values: { browser: '/usr/bin/chromium' }, places: [] };
  while (words.length > 0) {
    const word = words.shift();
    if (word.startsWith('--')) found.values[word.slice(2)] = words.shift();
    else found.places.push(word);
  }
  return found;
}

const scenes = ['plane', 'curve', 'ten-points', 'impurity', 'bias'];
const views = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
];
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

// serve serves a folder and returns its address.
function serve(folder) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html');
    try {
      const body = readFileSync(join(folder, name));
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      server.unref();
      resolve(`http://127.0.0.1:${server.address().port}/`);
    });
  });
}

const shown = '.scene:not([hidden])';

// check opens all scenes of a place in a view and returns the faults.
async function check(browser, address, view, place) {
  const faults = [];
  const context = await browser.newContext({
    colorScheme: view.colorScheme,
    viewport: { width: view.width, height: view.height },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (!r.url().startsWith(address) && !/^(data|blob):/.test(r.url())) {
      faults.push(`request: ${r.url()}`);
    }
  });
  const started = Date.now();
  await page.goto(address);
  for (const scene of scenes) {
    await page.evaluate((name) => (location.hash = name), scene);
    await page.waitForSelector(`${shown}[data-scene="${scene}"] svg.chart`);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (wide > 0) faults.push(`${scene} is ${wide} px wider than the screen`);
    await page.locator(`${shown} .lesson summary`).first().press('Enter');
    if (!(await page.locator(`${shown} .lesson details p`).first().isVisible())) {
      faults.push(`${scene}: Enter on a question does not open its answer`);
    }
    await page.evaluate(axe); // by the debugger, which no policy concerns
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const v of violations) {
      faults.push(
        `${scene}: axe ${v.id}: ${v.help}: ${v.nodes.length} times, first ${v.nodes[0].html}` +
          ` ${v.nodes[0].failureSummary}`,
      );
    }
    if (flags.shots) {
      const path = join(flags.shots, `${scene}-${view.name}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await draws(page, faults);
  await context.close();
  const time = Date.now() - started;
  console.log(`${place} ${view.name}: ${scenes.length} scenes in ${time} ms, ${faults.length} faults`);
  return faults;
}

// draws places and removes points of the plane by mouse and by keyboard.
async function draws(page, faults) {
  await page.evaluate(() => (location.hash = 'plane'));
  const board = page.locator(`${shown} .board`);
  const state = () =>
    page.evaluate((scene) => {
      const at = document.querySelector(`${scene} .board`);
      return {
        picture: at.querySelector('canvas').toDataURL(),
        points: at.querySelectorAll('.mark').length,
      };
    }, shown);
  // changed waits until the picture differs from the one before
  const changed = (before) =>
    page.waitForFunction(
      ([scene, old]) =>
        document.querySelector(`${scene} .board canvas`).toDataURL() !== old,
      [shown, before.picture],
    );
  await board.scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Clear' }).first().click();
  await page.waitForFunction(
    (scene) => document.querySelectorAll(`${scene} .board .mark`).length === 0, shown);
  const box = await board.boundingBox();
  const press = async (brush, x, y) => {
    await page.locator(`${shown} .tools button`, { hasText: brush }).click();
    await board.click({ position: { x: x * box.width, y: y * box.height } });
  };
  await press('Blue', 0.25, 0.3);
  await press('Orange', 0.75, 0.3);
  let before = await state();
  if (before.points !== 2) faults.push(`two presses made ${before.points} points`);
  await press('Orange', 0.2, 0.8);
  await changed(before).catch(() => faults.push('a press does not change the picture'));

  before = await state();
  await board.focus();
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await changed(before).catch(() => faults.push('Enter does not change the picture'));
  const placed = (await state()).points;
  if (placed !== before.points + 1) faults.push('Enter does not place a point');
  await page.keyboard.press('Delete');
  if ((await state()).points !== before.points) faults.push('Delete does not remove a point');
}

const browser = await chromium.launch({
  executablePath: flags.browser,
  args: ['--no-sandbox', '--disable-gpu'],
});
let failed = false;
for (const place of places) {
  const address = /^http:/.test(place) ? `${place.replace(/\/$/, '')}/` : await serve(place);
  const some = /^http:/.test(place) ? views : views.slice(0, 1); // the page is the same
  for (const view of some) {
    for (const fault of await check(browser, address, view, place)) {
      failed = true;
      console.log(`  ${fault}`);
    }
  }
}
await browser.close();
process.exit(failed || places.length === 0 ? 1 : 0);
