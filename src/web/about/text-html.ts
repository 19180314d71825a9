import { trimTrailing } from '../../contract/trim-trailing.ts';
import { type Html, html, type Part } from '../../http/html.ts';

interface Block {
  readonly kind: 'heading' | 'list' | 'paragraph';
  readonly lines: string[];
}

/**
 * Converts a text of the operator to HTML. Empty lines separate paragraphs, `- ` begins a list item, and `# ` (or more of
 * them) begins a heading. Addresses become links. Everything else is plain text.
 */
export function textHtml(text: string): Html {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const kind = line.startsWith('- ') ? 'list' : /^#{1,6} /.test(line) ? 'heading' : 'paragraph';
    if (line === '') {
      open = undefined;
    } else if (open?.kind === kind && kind !== 'heading') {
      open.lines.push(line);
    } else {
      open = { kind, lines: [line] };
      blocks.push(open);
    }
  }
  return html`${blocks.map(blockHtml)}`;
}

function blockHtml({ kind, lines }: Block): Html {
  if (kind === 'heading') return html`<h4>${lines.map((line) => line.replace(/^#+ /, ''))}</h4>\n`;
  if (kind === 'list') {
    return html`<ul class="points">${lines.map((line) => html`<li>${inline(line.slice('- '.length))}</li>`)}</ul>\n`;
  }
  return html`<p>${lines.map((line, at) => [at === 0 ? '' : html`<br>`, inline(line)])}</p>\n`;
}

/** Makes links of the addresses in a line. */
function inline(line: string): Part {
  return line.split(/(https?:\/\/[^\s<>"]+)/).map((part, at) => {
    if (at % 2 === 0) return part;
    // Punctuation at the end belongs to the sentence.
    const address = trimTrailing(part, '.,;:!?)');
    return [html`<a href="${address}" rel="noopener noreferrer nofollow">${address}</a>`, part.slice(address.length)];
  });
}
