import { type RecognisedLink, recogniseAll } from '#client/index.ts';

/** What the visitor wants to see. */
export interface Question {
  /** As it was typed or pasted. */
  readonly text: string;
  readonly link: RecognisedLink;
}

/** What a text looks like that is meant to be a link. */
const linkLike = /:\/\/|^\s*[\w-]+(?:\.[\w-]+)+\/\S*\s*$/;

/** Everything that a text may mean, the most likely first: links, ids, or words to search p1 for. */
export function meaningsOf(text: string): readonly RecognisedLink[] {
  const links = recogniseAll(text);
  const query = text.trim();
  if (links.length > 0 || query === '' || linkLike.test(text)) return links;
  return [{ platform: 'p1', endpoint: 'search', parameters: { query } }];
}

/** The question that an address of the page holds, such as `?q=dQw4w9WgXcQ&as=p1`. */
export function readQuestion(search: string): Question | undefined {
  const parameters = new URLSearchParams(search);
  const text = parameters.get('q') ?? '';
  const meanings = meaningsOf(text);
  const link = meanings.find(({ platform }) => platform === parameters.get('as')) ?? meanings[0];
  return link === undefined ? undefined : { text, link };
}

/** The address of a question, to be kept and shared; the first meaning of a text need not be named. */
export function addressOf({ text, link }: Question): string {
  const query = new URLSearchParams({ q: text });
  if (meaningsOf(text)[0]?.platform !== link.platform) query.set('as', link.platform);
  return `?${query}`;
}
