/** A text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. Plain values are escaped, lists are joined, and undefined is empty. */
export type Part = Html | string | number | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Creates HTML from a template whose values are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, at) => text + partText(parts[at])).join(''));
}

function partText(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(partText).join('');
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Joins parts with a separator. */
export function join(parts: readonly Part[], between: string): Part {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]));
}
