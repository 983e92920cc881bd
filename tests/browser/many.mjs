// Opens a page with very many rows in headless Chromium, filters and sorts it, and tells how long each took.
//
// node many.mjs PAGE.html ROWS
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [page, rows] = process.argv.slice(2);
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--no-first-run'];
const browser = await chromium.launch({ executablePath: process.env.BROWSER_PATH, args: ['--no-sandbox', '--disable-gpu', ...quiet] });
const tab = await browser.newPage();
await tab.goto(pathToFileURL(page).href);
const timed = async (what) => {
  const begun = performance.now();
  await what();
  return Math.round(performance.now() - begun);
};
const count = () => tab.locator('#count').textContent();
assert.equal(await count(), `${rows} calls`);
const paint = await tab.evaluate(() => Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime));
const loaded = await tab.evaluate(() => Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd));
const filter = await timed(() => tab.fill('#find', 'file-4999.ts'));
assert.equal(await count(), `1 of ${rows} calls`);
const all = await timed(() => tab.fill('#find', ''));
const sort = await timed(() => tab.locator('[data-sort=place]').click());
console.log(`first paint ${paint} ms, loaded ${loaded} ms, filtered ${filter} ms, unfiltered ${all} ms, sorted ${sort} ms`);
await browser.close();
