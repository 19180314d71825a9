import type { LinkTarget, PlatformLinks } from '../../../src/platforms/link-target.ts';
import * as platforms from '../../../src/platforms/links.ts';
import type { EndpointOf, PlatformId } from './parameters.ts';

/** What a link or an id leads to, as parameters of the extraction API. */
export type RecognisedLink = {
  readonly [P in PlatformId]: {
    readonly platform: P;
    readonly endpoint: EndpointOf<P>;
    readonly parameters: Readonly<Record<string, string>>;
    /** Parameters that the endpoint needs besides these and that the link does not hold. */
    readonly missing?: readonly string[];
  };
}[PlatformId];

/** Every platform, the likeliest meaning of a bare id first. */
const platformsByRank = Object.values<PlatformLinks>(platforms).toSorted((a, b) => a.idRank - b.idRank);

/** What of a text is looked at. */
const MAX_TEXT = 10_000;
const MAX_WORDS = 200;
const MAX_LINK = 2_048;

/** What stands between a link and the text around it. */
const wordSeparators = /[\s<>"'“”‘’«»「」『』（）【】，。、；：！？|]+/;

const trailingPunctuation = '),.;:!?]}*_';

/**
 * What a pasted text leads to: the first link in it that one of the platforms knows, or else, where the text is nothing
 * but an id, what is most likely meant by it. Nothing is asked of anybody.
 */
export function recogniseLink(text: string): RecognisedLink | undefined {
  return recogniseAll(text)[0];
}

/**
 * Everything that a pasted text may lead to, the most likely first. A link means one thing; ids of several platforms
 * look the same: eleven letters and digits are a video of p1 or a post of p2, a number is a post of p4, a pin or a
 * video of p3, and `@name` is an account of p1, p4 or p2.
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
  // A test holds the endpoints that platforms name against those that the service has.
  return target === undefined ? undefined : ({ platform: id, ...target } as RecognisedLink);
}

/** The link that a word is, or ends with. Its scheme may be missing, but then its host stands at the beginning. */
function findUrl(word: string): URL | undefined {
  const start = word.search(/https?:\/\//i);
  const hasNoScheme = start === -1 && /^\W{0,3}[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\//i.test(word.slice(0, 300));
  if (start === -1 && !hasNoScheme) return undefined;
  const link = trimPunctuation(hasNoScheme ? `https://${word.replace(/^\W+/, '')}` : word.slice(start));
  if (link.length > MAX_LINK || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  // No site hands out links with a password or a port; who does wants to look like one.
  return url.username === '' && url.password === '' && url.port === '' ? url : undefined;
}

/** Without the punctuation that follows it in a sentence. */
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
