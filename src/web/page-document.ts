import type { Addresses } from '../contract/addresses.ts';
import { validUrl } from '../contract/parse-url.ts';
import type { PageAssets } from './assets.ts';
import { pageDescription, themeColours } from './manifest.ts';

/** The page as HTML, with its content security policy. */
export interface PageDocument {
  readonly text: string;
  /**
   * The page's content security policy.
   *
   * @param host Host and port that the browser requested; empty if unknown.
   */
  policy(host: string): string;
}

/**
 * Writes the page's document. Its links are relative, so it works below any path.
 *
 * @param store Origin of the store, if files are served from there.
 * @param open Whether the page is turned on.
 */
export function createPageDocument(
  assets: PageAssets,
  addresses: Addresses,
  store: string | undefined,
  open: boolean,
): PageDocument {
  const assetUrl = (path: string) => `./${assets.folder}/${path}`;
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Millrace</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${pageDescription}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${themeColours.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${themeColours.dark}" media="(prefers-color-scheme: dark)">
<meta property="og:type" content="website">
<meta property="og:title" content="Millrace">
<meta property="og:description" content="${pageDescription}">
<meta property="og:image" content="${validUrl(assetUrl('icons/icon-512.png'), `${addresses.base}/`)}">
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assetUrl('icons/apple-touch-180.png')}">
<link rel="manifest" href="./manifest.webmanifest" crossorigin="use-credentials">
<link rel="license" href="${assetUrl('licences.txt')}">
<link rel="stylesheet" href="${assetUrl('page.css')}">
${assets.preloads.map((path) => `<link rel="modulepreload" href="${assetUrl(path)}">`).join('\n')}
<script type="module" src="${assetUrl(assets.entry)}"></script>
</head>
<body>
<div id="page" data-open="${open}">
<noscript><p>This page needs JavaScript. The service itself does not: see <a href="docs">its documentation</a>.</p></noscript>
</div>
</body>
</html>
`;
  return { text, policy: createPolicy({ addresses, store, folder: assets.folder }) };
}

interface PolicyInputs {
  readonly addresses: Addresses;
  readonly store: string | undefined;
  /** Folder of the assets, relative to the page. */
  readonly folder: string;
}

/**
 * Allows the page its own assets, the service at the addresses in its responses, and the files to play. Scripts and
 * styles may come only from the assets folder, not from all of `'self'`, which also serves files of callers.
 */
function createPolicy({ addresses, store, folder }: PolicyInputs): PageDocument['policy'] {
  const { base, api, render } = addresses;
  const service = [...new Set(["'self'", ...[base, api, render].map((address) => validUrl(address).origin)])].join(' ');
  return (host) => {
    const own = assetSources(folder, base, host);
    return [
      "default-src 'none'",
      `script-src ${own}`,
      `style-src ${own}`,
      // Callers choose the bytes of files, but not a media type that browsers accept for workers.
      "worker-src 'self'",
      "manifest-src 'self'",
      `img-src ${service}`,
      `media-src ${store === undefined ? service : `${service} ${store}`}`,
      `connect-src ${service}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  };
}

/**
 * Returns the sources of a content security policy that stand for a page's assets.
 *
 * @param folder Folder of the assets, relative to the page.
 * @param base Public address of the page.
 * @param host Host and port that the browser requested; empty if unknown.
 */
export function assetSources(folder: string, base: string, host: string): string {
  const path = `${validUrl(base).pathname.replace(/\/$/, '')}/${folder}/`;
  // A source with a path needs a host. Visitors may open the page under a host that differs from the public address.
  const hosts = [validUrl(base).origin, ...(isHost(host) ? [host] : [])];
  return hosts.map((place) => place + path).join(' ');
}

/** Whether a Host header is a name and port that a policy can contain. Policies cannot contain IPv6 addresses. */
function isHost(text: string): boolean {
  return text.length <= 260 && /^[\w.-]+(?::\d{1,5})?$/.test(text);
}
