import { type Html, html } from '../../http/html.ts';

/** Converts a text in which `backticks` mark code to HTML. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** Returns a section of the page with its heading. */
export function section(id: string, title: string, content: Html): Html {
  return html`
<section aria-labelledby="${id}">
<h2 id="${id}"><a href="#${id}">${title}</a></h2>
${content}
</section>`;
}
