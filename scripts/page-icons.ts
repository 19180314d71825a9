import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../test/support/browser.ts';

/** Draws the icons of the installed page from its `icon.svg`. Run it after a change to that file. */

const page = new URL('../src/web/page/', import.meta.url);

/** An icon. Systems cut their own shape out of a bleeding one, so its background fills the whole square. */
interface Icon {
  readonly name: string;
  /** In pixels. */
  readonly size: number;
  readonly bleeds: boolean;
  /** Portion of the width that the drawing takes. */
  readonly portion: number;
}

const icons: readonly Icon[] = [
  { name: 'icon', size: 192, bleeds: false, portion: 1 },
  { name: 'icon', size: 512, bleeds: false, portion: 1 },
  // Systems may cut off everything outside of a circle with 80 % of the width (https://www.w3.org/TR/appmanifest/).
  { name: 'maskable', size: 512, bleeds: true, portion: 0.8 },
  { name: 'apple-touch', size: 180, bleeds: true, portion: 0.9 },
];

const svg = await readFile(new URL('icon.svg', page), 'utf8');
const [, ground] = /<rect\b[^>]*\bfill="(#[0-9a-f]{6})"/.exec(svg) ?? [];
if (ground === undefined) throw new Error('icon.svg has no background: a <rect> with a fill such as #0d5c63');

const folder = fileURLToPath(new URL('app/icons/', page));
await mkdir(folder, { recursive: true });
const browser = await openBrowser();
for (const { name, size, bleeds, portion } of icons) {
  const tab = await browser.newPage({ viewport: { width: size, height: size } });
  await tab.setContent(`
    <style>
      body { margin: 0; height: 100vh; display: grid; place-items: center; ${bleeds ? `background: ${ground}` : ''} }
      svg { width: ${portion * 100}% }
    </style>
    ${svg}`);
  await tab.screenshot({ path: `${folder}${name}-${size}.png`, omitBackground: true });
  await tab.close();
}
await browser.close();
