import { type LinkTarget, linksIn, type PlatformLinks, wordsIn } from '../../../src/platforms/link-target.ts';
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

/** Maximum number of characters of an ID or a name. */
const MAX_ID = 2_048;

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
  const links = linksIn(text);
  for (const url of links) {
    const link = firstResult(platformsByRank, (platform) => toRecognisedLink(platform, platform.ofLink(url)));
    if (link !== undefined) return [link];
  }
  const [word = '', nextWord] = wordsIn(text);
  if (nextWord !== undefined || word.length > MAX_ID || links.length > 0) return [];
  return platformsByRank
    .map((platform) => toRecognisedLink(platform, platform.ofId(word)))
    .filter((link) => link !== undefined);
}

/** A link in a text. */
export interface LinkInText {
  readonly text: string;
  /** Undefined if it belongs to no platform. */
  readonly target: RecognisedLink | undefined;
}

/** Returns the links among the first 200 words of a text, in text order. Makes no requests. */
export function linksInText(text: string): readonly LinkInText[] {
  return wordsIn(text)
    .filter((word) => linksIn(word).length > 0)
    .map((word) => ({ text: word, target: recogniseLink(word) }));
}

function toRecognisedLink({ id }: PlatformLinks, target: LinkTarget | undefined): RecognisedLink | undefined {
  // The cast is safe: a test compares the endpoints that platforms name with those of the service.
  return target === undefined ? undefined : ({ platform: id, ...target } as RecognisedLink);
}

function firstResult<From, To>(list: readonly From[], convert: (item: From) => To | undefined): To | undefined {
  for (const item of list) {
    const result = convert(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
