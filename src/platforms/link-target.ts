/** The target of a link or ID: an endpoint of its platform, with parameters. */
export interface LinkTarget {
  /** The path below `/<platform>/v3/`, such as `video/details`. */
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Required parameters of the endpoint that the link does not contain. */
  readonly missing?: readonly string[];
}

/**
 * The public properties of a platform: its names, links and IDs. The service, the client library and the page share
 * these, so the files that declare them (`<name>/links.ts`) run in browsers. They import only this file, and the one that
 * reads queries.
 */
export interface PlatformLinks {
  /** The neutral ID in paths, such as `p1`. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /**
   * The platform's rank among platforms whose IDs look alike. A bare ID most likely belongs to the platform with the
   * lowest rank.
   */
  readonly idRank: number;
  /** Returns the target of a link, or undefined for a link of another site or one that leads to no endpoint. */
  ofLink(url: URL): LinkTarget | undefined;
  /** Returns the possible target of a text that is not a link, such as an ID or a name. */
  ofId(text: string): LinkTarget | undefined;
}

/**
 * Parses a link, relative to a base if there is one. Returns null for anything else, and for a link with over 100
 * characters before its path. The time in which a parser converts letters outside ASCII in a host grows with the square
 * of their number.
 */
export function parseLink(link: string, base?: string): URL | null {
  const origin = link.replace(/[\0- ]/g, '').match(/^[^/\\]*[/\\]*[^/\\?#]*/)?.[0] ?? '';
  return origin.length < 101 && URL.canParse(link, base) ? new URL(link, base) : null;
}

/** Parses an `http` or `https` link. Returns null for anything else. */
export function webUrl(link: string): URL | null {
  const url = parseLink(link);
  return /^https?:/.test(`${url}`) ? url : null;
}

/** Returns the segments of a link's path, undecoded and without empty ones. */
export function pathSegments({ pathname }: URL): readonly string[] {
  return pathname.split('/').filter((segment) => segment !== '');
}

/** Maximum number of characters of a text that are searched. */
const MAX_TEXT = 10_000;
const MAX_WORDS = 200;
const MAX_LINK = 2_048;

/**
 * Characters that separate a link from the text around it: spaces, quotation marks, brackets, and symbols, punctuation
 * and invisible characters that no link has, such as emoji. Letters of any script can be part of a link, and with them
 * the joiners of Persian and Indic words and the middle dot of Catalan ones.
 */
const wordSeparators = /(?:[\s<>"'`|]|(?![\x21-\x7e＠＃·\u200c\u200d])[\p{P}\p{S}\p{Cf}])+/u;

const trailingPunctuation = '),.;:!?]}*~';

/** Returns the words of a text, without the quotation marks and brackets around them. */
export function wordsIn(text: string): readonly string[] {
  return text
    .slice(0, MAX_TEXT)
    .split(wordSeparators, MAX_WORDS)
    .filter((word) => word !== '');
}

/**
 * Returns the links in a text, with or without a scheme, in text order. Where text directly follows a link (`…/ID見て`,
 * `…/ID,then`), the list has the link with that text, and then the link without it.
 */
export function linksIn(text: string): readonly URL[] {
  return wordsIn(text.slice(0, MAX_TEXT).replaceAll('&amp;', '&')).flatMap(linksInWord);
}

function linksInWord(word: string): readonly URL[] {
  const start = word.search(/https?:\/\//i);
  // A link without a scheme must start with its host.
  const hasNoScheme = start === -1 && /^\W{0,3}[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\//i.test(word.slice(0, 300));
  if (start === -1 && !hasNoScheme) return [];
  const link = hasNoScheme ? `https://${word.replace(/^\W+/, '')}` : word.slice(start);
  const shorter = link.slice(0, link.search(/[^\x21-\x7e]|[,;!)\]}]|$/));
  // An ID can end with an underscore. Only one that also precedes the link is emphasis: _https://…_
  const trailing = word.slice(0, Math.max(start, 0)).endsWith('_') ? `${trailingPunctuation}_` : trailingPunctuation;
  const candidates = [link, shorter].map((each) => withoutPunctuation(each, trailing));
  return [...new Set(candidates)].flatMap((each) => urlOf(each) ?? []);
}

function urlOf(link: string): URL | undefined {
  const url = link.length > MAX_LINK ? null : parseLink(link);
  // No site's own links contain a password or a port; a link with one imitates the site.
  return url !== null && url.username + url.password + url.port === '' ? url : undefined;
}

/** Removes the punctuation that follows a link in a sentence. */
function withoutPunctuation(link: string, trailing: string): string {
  let end = link.length;
  while (end > 0 && trailing.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}
