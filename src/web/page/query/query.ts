import { type RecognisedLink, recogniseAll } from '#client/index.ts';

/** The visitor's query. */
export interface Query {
  /** The text as typed or pasted. */
  readonly text: string;
  readonly link: RecognisedLink;
}

/** Matches texts that are meant to be links. */
const linkPattern = /:\/\/|^\s*[\w-]+(?:\.[\w-]+)+\/\S*\s*$/;

/** Returns every interpretation of a text, the most likely first: links, IDs, or words to search p1 for. */
export function interpretationsOf(text: string): readonly RecognisedLink[] {
  const links = recogniseAll(text);
  const query = text.trim();
  if (links.length > 0 || query === '' || linkPattern.test(text)) return links;
  return [{ platform: 'p1', endpoint: 'search', parameters: { query } }];
}

/** Reads the query from an address of the page, such as `?q=dQw4w9WgXcQ&as=p1`. */
export function readQuery(search: string): Query | undefined {
  const parameters = new URLSearchParams(search);
  const text = parameters.get('q') ?? '';
  const links = interpretationsOf(text);
  const link = links.find(({ platform }) => platform === parameters.get('as')) ?? links[0];
  return link === undefined ? undefined : { text, link };
}

/**
 * Returns the address of a query. It names the platform only if the query is not the first interpretation of its text.
 */
export function addressOf({ text, link }: Query): string {
  const parameters = new URLSearchParams({ q: text });
  if (interpretationsOf(text)[0]?.platform !== link.platform) parameters.set('as', link.platform);
  return `?${parameters}`;
}
