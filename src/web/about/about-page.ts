import type { About } from '../../contract/about.ts';
import { type Html, html } from '../../http/html.ts';
import { logo, waves } from '../page/artwork.ts';
import { durationText } from './duration-text.ts';
import { textHtml } from './text-html.ts';

/**
 * Writes the page that states who operates the service, its terms, and what it keeps. It needs no
 * scripts, and its links are relative.
 *
 * @param assetUrl Returns the address of one of the page's files.
 */
export function aboutPage(about: About, assetUrl: (path: string) => string): string {
  const { operator, terms, removal, retention } = about;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>About · Millrace</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Who operates this service, its terms of use, and what it keeps for how long.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetUrl('page.css')}">
</head>
<body>
<div id="page">
<div class="band">
<header class="top">
<h1><a href="./">${drawLogo()} Millrace</a></h1>
</header>
${drawWaves()}
</div>
<main class="about">
<h2>About this service</h2>
<section aria-labelledby="operator">
<h3 id="operator">Operator</h3>
${operatorText(operator)}
</section>
<section aria-labelledby="terms">
<h3 id="terms">Terms of use</h3>
${termsText(terms)}
</section>
<section aria-labelledby="kept">
<h3 id="kept">What the service keeps</h3>
<dl>
${retention.map(
  ({ data, description, maxSeconds }) =>
    html`<div>
<dt>${data}</dt>
<dd>${maxSeconds === undefined ? undefined : html`<strong>At most ${durationText(maxSeconds * 1_000)}.</strong> `}${description}</dd>
</div>
`,
)}</dl>
</section>
<section aria-labelledby="removal">
<h3 id="removal">Have data removed</h3>
<p>Callers with a key can delete their jobs and files at any time. Everything else is deleted as listed above.</p>
${removal === undefined ? removalText(operator) : textHtml(removal)}
</section>
</main>
<footer>
<p class="soft small"><a href="./">Home</a> <a href="docs">API</a></p>
</footer>
</div>
</body>
</html>
`;
  return text;
}

function drawLogo(): Html {
  return html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
<circle cx="16" cy="13" r="8.5"/><path d="${logo.spokes}"/><path class="stream" d="${logo.stream}"/>
</svg>`;
}

function drawWaves(): Html {
  return html`<svg class="waves" aria-hidden="true" viewBox="0 0 1440 60" preserveAspectRatio="none">
${waves.map((path) => html`<path d="${path}"/>`)}
</svg>`;
}

function operatorText({ name, contact }: About['operator']): Html {
  return html`${name === undefined ? undefined : html`<p>${name}</p>`}
<p>${contact === undefined ? 'The operator has not published a contact.' : html`Contact: ${contactLink(contact)}`}</p>`;
}

function termsText({ url, text }: About['terms']): Html {
  if (text !== undefined) return textHtml(text);
  if (url === undefined) return html`<p>The operator has not published terms of use.</p>`;
  return html`<p><a href="${url}" rel="noopener noreferrer">Read the terms of use</a></p>`;
}

function removalText({ contact }: About['operator']): Html {
  if (contact === undefined) return html`<p>The operator has not published a contact for requests about data.</p>`;
  return html`<p>For other requests about data, contact the operator: ${contactLink(contact)}</p>`;
}

function contactLink(contact: string): Html {
  return html`<a href="${contact}" rel="noopener noreferrer">${contact.replace(/^mailto:/, '')}</a>`;
}
