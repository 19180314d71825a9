import type { Browser } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { formatSpread, printLine } from '../measure.ts';

/** The rows: the first view of a new visitor, and that of a visitor who returns with the page's files in the cache. */
export const pageRows: readonly string[] = ['first', 'return'];

/** Seconds until the page can be used. */
const TARGET_S = 1;
/** The slowdown of the processor that stands for a phone. */
const SLOWDOWN = 4;

/** The peer: a page with a field and nothing else. */
const barePage = 'data:text/html,<!doctype html><title>Bare</title><input id="paste">';

/**
 * Measures from the navigation until the page's field accepts text, with a processor that is slowed down like that of a
 * phone. The peer, which is opened alternately, is a document with a field and no scripts.
 */
export async function pageBench(rounds: number, names: readonly string[]): Promise<void> {
  const folder = await temporaryFolder();
  const lab = await startLab();
  const service = await startService(lab.url, folder.path);
  const browser = await openBrowser();
  try {
    const times: Record<'first' | 'return' | 'bare', number[]> = { first: [], return: [], bare: [] };
    // The first round warms up the service and the browser.
    for (let round = 0; round <= rounds; round += 1) {
      const [first, second] = await openTwice(browser, service.url);
      const [bare] = await openTwice(browser, barePage);
      if (round === 0) continue;
      times.first.push(first);
      times.return.push(second);
      times.bare.push(bare);
    }
    for (const row of ['first', 'return'] as const) {
      if (!names.includes(row)) continue;
      const ratios = times[row].map((time, index) => time / (times.bare[index] ?? Number.NaN));
      printLine(
        `${row} view until usable, ${SLOWDOWN} times slower processor: ${formatSpread(times[row])} s ` +
          `(target ${TARGET_S}), ${formatSpread(ratios, 1)} times a page with only a field`,
      );
    }
  } finally {
    await browser.close();
    await service.stop();
    await lab.stop();
    await folder.delete();
  }
}

/** Opens a page as a new visitor and once more, and returns both times in seconds. */
async function openTwice(browser: Browser, url: string): Promise<readonly [first: number, second: number]> {
  const context = await browser.newContext();
  try {
    const open = async () => {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
      await page.goto(url, { waitUntil: 'commit' });
      await page.locator('#paste').waitFor();
      // The clock of the page starts with the navigation.
      const time = Number(await page.evaluate('performance.now()')) / 1000;
      await page.close();
      return time;
    };
    return [await open(), await open()];
  } finally {
    await context.close();
  }
}
