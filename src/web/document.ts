import { createHash } from 'node:crypto';
import type { Addresses } from '../addresses.ts';
import type { Assets } from './assets.ts';

/** The page as HTML, and what it may do. */
export interface PageDocument {
  readonly text: string;
  readonly policy: string;
}

/**
 * Writes the page's document. Its addresses are relative: it may stand below any path.
 *
 * @param store Origin of the files' store, where it is another one.
 * @param open Whether the page may ask; it says so where it may not.
 */
export function writePage(
  assets: Assets,
  addresses: Addresses,
  store: string | undefined,
  open: boolean,
): PageDocument {
  const link = (path: string) => `./${assets.folder}/${path}`;
  const packages = [...assets.packages].map(([name, path]) => [name, link(path)]);
  const importMap = JSON.stringify({ imports: Object.fromEntries(packages) });
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Millrace</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Paste a link of a media platform, choose a quality, and get the finished file.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${link('icon.svg')}" type="image/svg+xml">
<link rel="license" href="${link('licences.txt')}">
<link rel="stylesheet" href="${link('page.css')}">
<script type="importmap">${importMap}</script>
${assets.preloads.map((path) => `<link rel="modulepreload" href="${link(path)}">`).join('\n')}
<script type="module" src="${link(assets.entry)}"></script>
</head>
<body>
<div id="page" data-open="${open}">
<noscript><p>This page needs JavaScript. The service itself does not: see <a href="docs">its documentation</a>.</p></noscript>
</div>
</body>
</html>
`;
  return { text, policy: policyOf(importMap, addresses, store) };
}

/** Nothing but what the page is made of, the service by the addresses that its answers name, and the files to play. */
function policyOf(importMap: string, { base, api, render }: Addresses, store: string | undefined): string {
  const service = [...new Set(["'self'", ...[base, api, render].map((address) => new URL(address).origin)])].join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    "style-src 'self'",
    `img-src ${service}`,
    `media-src ${store === undefined ? service : `${service} ${store}`}`,
    `connect-src ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
