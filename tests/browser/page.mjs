// Opens a page of the HTML report in headless Chromium and uses it as a person would. What is wrong ends the program with a message.
//
// node page.mjs PAGE.html FOLDER: screenshots and the printed page go to the folder.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [page, folder] = process.argv.slice(2);
const address = pathToFileURL(page).href;
// The background services of the browser would ask the network for things of their own.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--no-first-run'];
const browser = await chromium.launch({ executablePath: process.env.BROWSER_PATH, args: ['--no-sandbox', '--disable-gpu', ...quiet] });

async function open(options = {}) {
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  const said = [];
  tab.on('console', (message) => said.push(message.text()));
  tab.on('pageerror', (error) => said.push(error.message));
  tab.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('data:')) said.push(`asks for ${request.url()}`);
  });
  await tab.goto(address);
  return { tab, said, close: () => context.close() };
}

const shown = (tab) => tab.locator('#sites > li:not([hidden])').count();
const texts = (tab, part) => tab.locator(`#sites > li:not([hidden]) ${part}`).allTextContents();

{
  const { tab, said, close } = await open();
  const all = await shown(tab);
  assert.ok(all > 10, `${all} rows`);
  assert.equal(await tab.locator('#count').textContent(), `${all} calls`);

  // The worst come first.
  assert.equal((await texts(tab, '.badge'))[0], 'uncovered');

  // Filters, by word and by verdict.
  await tab.fill('#find', 'defaults.mjs');
  const found = await tab.locator('#sites > li:not([hidden])').allTextContents();
  assert.ok(found.length > 0 && found.length < all && found.every((text) => text.includes('defaults.mjs')), `${found.length} rows`);
  assert.equal(await tab.locator('#count').textContent(), `${found.length} of ${all} calls`);
  await tab.fill('#find', '');
  await tab.getByLabel('covered', { exact: true }).uncheck();
  assert.ok(!(await texts(tab, '.badge')).includes('covered'));
  await tab.getByLabel('covered', { exact: true }).check();
  await tab.selectOption('#client', 'axios');
  assert.ok((await texts(tab, '.what')).every((what) => what.endsWith('axios')));
  await tab.selectOption('#client', '');
  assert.equal(await shown(tab), all);

  // Sorts, both ways.
  await tab.locator('[data-sort=place]').click();
  const places = () => tab.locator('#sites > li').evaluateAll((rows) => rows.map((row) => Number(row.dataset.place)));
  const up = await places();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await tab.locator('[data-sort=place]').click();
  assert.deepEqual(await places(), [...up].reverse());

  // Opens, and shows why.
  const first = tab.locator('#sites > li').first();
  assert.equal(await first.locator('.evidence').first().isVisible(), false);
  await first.locator('summary').click();
  assert.equal(await first.locator('.evidence').first().isVisible(), true);
  const id = await first.getAttribute('id');
  await tab.click('#open');
  assert.equal(await tab.locator('#sites details[open]').count(), all);

  // What does not fit is red.
  const red = await tab.locator('.chain .broken').first().evaluate((line) => getComputedStyle(line).stroke);
  assert.match(red, /^rgb\((1[5-9]\d|2\d\d), \d?\d, \d?\d\)$/);

  // Prints without its tools.
  await tab.emulateMedia({ media: 'print' });
  assert.equal(await tab.locator('#tools').isVisible(), false);
  assert.ok((await tab.pdf({ path: join(folder, 'page.pdf'), format: 'A4' })).length > 10_000);

  // A row has an address.
  await tab.goto(`${address}#${id}`);
  await tab.reload();
  assert.equal(await tab.locator(`#${id} details[open]`).count(), 1);
  assert.deepEqual(said.filter((one) => !one.startsWith(`asks for ${address}`)), []);
  await close();
}

// Without the script everything is there too.
{
  const { tab, close } = await open({ javaScriptEnabled: false });
  assert.ok((await shown(tab)) > 10);
  assert.equal(await tab.locator('#tools').isVisible(), false);
  await tab.locator('#sites summary').first().click();
  assert.equal(await tab.locator('#sites .evidence').first().isVisible(), true);
  await close();
}

for (const colorScheme of ['light', 'dark']) {
  for (const [name, width, height] of [['wide', 1280, 1000], ['phone', 390, 844]]) {
    const { tab, said, close } = await open({ colorScheme, viewport: { width, height } });
    await tab.locator('#sites summary').first().click();
    const [wide, room] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= room, `${name}: ${wide} pixels in ${room}`);
    const [ground, ink] = await tab.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return [style.backgroundColor, style.color].map((color) => Number(color.match(/\d+/)[0]));
    });
    assert.equal(ground > ink, colorScheme === 'light', `${colorScheme}: ${ink} on ${ground}`);
    await tab.screenshot({ path: join(folder, `${colorScheme}-${name}.png`), fullPage: true });
    assert.deepEqual(said, []);
    await close();
  }
}
await browser.close();
