import { linksInText, type RecognisedLink, recogniseAll } from '#client/index.ts';
import { countryCodeIn } from '../problems/countries.ts';

/** The visitor's query. */
export interface Query {
  /** The text as typed or pasted. */
  readonly text: string;
  readonly link: RecognisedLink;
  /** The queries of all links, if the text contains several. `link` is that of the first. */
  readonly links?: readonly Query[];
  /** ISO 3166-1 alpha-2 code of the country from which the platform is requested; default: the service decides. */
  readonly country?: string;
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

/**
 * Returns the query of a text: a list if it contains several links, at most 200, or else one of its interpretations.
 *
 * @param platform ID of the platform to prefer, if the text has several interpretations.
 */
export function queryOf(text: string, platform?: string): Query | undefined {
  const links = linksOf(text);
  const [first, second] = links;
  if (first !== undefined && second !== undefined) {
    const words = linksInText(text).map((each) => each.text);
    return { text: words.join(' '), link: first.link, links };
  }
  const interpretations = interpretationsOf(text);
  const link = interpretations.find((each) => each.platform === platform) ?? interpretations[0];
  return link === undefined ? undefined : { text: text.trim(), link };
}

/** Returns the links in a text that belong to no platform. */
export function unknownLinksIn(text: string): readonly string[] {
  return linksInText(text)
    .filter(({ target }) => target === undefined)
    .map((each) => each.text);
}

/**
 * Reads the query from an address of the page, such as `?q=dQw4w9WgXcQ&as=p1`. Other apps open the page with `?url=…`, or
 * share a link or a text with it (`?title=…&text=…&url=…`).
 */
export function readQuery(address: string): Query | undefined {
  const parameters = new URLSearchParams(address.replace(/^#/, ''));
  const query = queryOf(parameters.get('q') ?? readSharedText(parameters), parameters.get('as') ?? undefined);
  const country = countryCodeIn(parameters.get('country'));
  return query === undefined || country === undefined ? query : { ...query, country };
}

/**
 * Returns the host of a link to a site that is not supported; undefined for all other texts.
 */
export function unknownHostIn(text: string): string | undefined {
  if (interpretationsOf(text).length > 0) return undefined;
  const link = text.split(/\s+/).find((word) => linkPattern.test(word));
  if (link === undefined) return undefined;
  return URL.parse(link.includes('://') ? link : `https://${link}`)?.hostname.replace(/^www\./, '') || link;
}

/** Returns the link that another app has shared. Some apps put the link into the text, among other words. */
export function readSharedText(parameters: URLSearchParams): string {
  const [url = '', text = ''] = ['url', 'text'].map((name) => parameters.get(name)?.trim());
  if (url !== '') return url;
  const [link = text] = /https?:\/\/\S+/i.exec(text) ?? [];
  return link;
}

/**
 * Returns the address of a query. It names the platform only if the query is not the first interpretation of its text.
 * A list of links is in the fragment, because it can be longer than the address of a request.
 */
export function addressOf({ text, link, links, country }: Query): string {
  const parameters = new URLSearchParams({ q: text });
  if (links !== undefined) return `#${parameters}`;
  if (interpretationsOf(text)[0]?.platform !== link.platform) parameters.set('as', link.platform);
  if (country !== undefined) parameters.set('country', country);
  return `?${parameters}`;
}

/** Returns a query for each different target of the links in a text. */
function linksOf(text: string): readonly Query[] {
  const queries = new Map<string, Query>();
  for (const { text: word, target } of linksInText(text)) {
    if (target !== undefined) queries.set(JSON.stringify(target), { text: word, link: target });
  }
  return [...queries.values()];
}
