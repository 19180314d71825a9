import { html } from '../../http/html.ts';

/**
 * Writes the page with the API reference, which scripts fill. Its links are relative, so it works below any path.
 *
 * @param assetUrl Returns the address of one of the reference's files.
 */
export function referencePage(assetUrl: (path: string) => string): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference · Millrace</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every endpoint, with code samples and guides. Send requests to this service from the page.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="license" href="${assetUrl('licences.txt')}">
<link rel="stylesheet" href="${assetUrl('reference.css')}">
<script defer src="${assetUrl('scalar.js')}"></script>
<script defer src="${assetUrl('reference.js')}"></script>
</head>
<body>
<header class="top">
<a class="home" href="./"><img src="${assetUrl('icon.svg')}" alt="" width="24" height="24"> Millrace</a>
<a href="openapi">OpenAPI document</a>
</header>
<main id="reference" data-guides="${assetUrl('guides.md')}">
<noscript>
<div class="without-scripts">
<h1>API reference</h1>
<p>This page needs JavaScript. Without it, read the <a href="openapi">OpenAPI document</a>, which describes every
endpoint, and the <a href="${assetUrl('guides.md')}">guides</a>.</p>
</div>
</noscript>
</main>
</body>
</html>
`;
  return text;
}
