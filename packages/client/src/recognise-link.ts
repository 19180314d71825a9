import type { LinkTarget, PlatformLinks } from '../../../src/platforms/link-target.ts';
import * as platforms from '../../../src/platforms/links.ts';
import type { EndpointOf, PlatformId } from './parameters.ts';

/** The target of a link or an ID, as parameters of the extraction API. */
export type RecognisedLink = {
  readonly [P in PlatformId]: {
    readonly platform: P;
    readonly endpoint: EndpointOf<P>;
    readonly parameters: Readonly<Record<string, string>>;
    /** Required parameters of the endpoint that the link does not contain. */
    readonly missing?: readonly string[];
  };
}[PlatformId];

/** All platforms, sorted by how likely a bare ID belongs to them, the most likely first. */
const platformsByRank = Object.values<PlatformLinks>(platforms).toSorted((a, b) => a.idRank - b.idRank);

/** Maximum number of characters of a text that are searched. */
const MAX_TEXT = 10_000;
const MAX_WORDS = 200;
const MAX_LINK = 2_048;

/** Characters that separate a link from the text around it. */
const wordSeparators = /[\s<>"'“”‘’«»「」『』（）【】，。、；：！？|]+/;

const trailingPunctuation = '),.;:!?]}*_';

/**
 * Returns the target of a pasted text: the first link in it that belongs to a platform, or the most likely meaning of a
 * bare ID. Makes no requests.
 */
export function recogniseLink(text: string): RecognisedLink | undefined {
  return recogniseAll(text)[0];
}

/**
 * Returns all possible targets of a pasted text, the most likely first. A link has one meaning, but IDs of several
 * platforms look the same. Eleven letters and digits are a video of p1 or a post of p2. A number is a post of p4, a pin
 * of p6 or a video of p3. `@name` is an account of p1, p4 or p2.
 */
export function recogniseAll(text: string): readonly RecognisedLink[] {
  const words = text
    .slice(0, MAX_TEXT)
    .split(wordSeparators, MAX_WORDS)
    .filter((word) => word !== '');
  for (const word of words) {
    const url = findUrl(word);
    const link =
      url === undefined
        ? undefined
        : firstResult(platformsByRank, (platform) => toRecognisedLink(platform, platform.ofLink(url)));
    if (link !== undefined) return [link];
  }
  const [word = '', nextWord] = words;
  if (nextWord !== undefined || word.length > MAX_LINK || findUrl(word) !== undefined) return [];
  return platformsByRank
    .map((platform) => toRecognisedLink(platform, platform.ofId(word)))
    .filter((link) => link !== undefined);
}

function toRecognisedLink({ id }: PlatformLinks, target: LinkTarget | undefined): RecognisedLink | undefined {
  // The cast is safe: a test compares the endpoints that platforms name with those of the service.
  return target === undefined ? undefined : ({ platform: id, ...target } as RecognisedLink);
}

/** Returns the link that a word is or ends with. A link without a scheme must start with its host. */
function findUrl(word: string): URL | undefined {
  const start = word.search(/https?:\/\//i);
  const hasNoScheme = start === -1 && /^\W{0,3}[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\//i.test(word.slice(0, 300));
  if (start === -1 && !hasNoScheme) return undefined;
  const link = trimPunctuation(hasNoScheme ? `https://${word.replace(/^\W+/, '')}` : word.slice(start));
  if (link.length > MAX_LINK || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  // No site's own links contain a password or a port; a link with one imitates the site.
  return url.username === '' && url.password === '' && url.port === '' ? url : undefined;
}

/** Removes the punctuation that follows a link in a sentence. */
function trimPunctuation(link: string): string {
  let end = link.length;
  while (end > 0 && trailingPunctuation.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}

function firstResult<From, To>(list: readonly From[], convert: (item: From) => To | undefined): To | undefined {
  for (const item of list) {
    const result = convert(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
