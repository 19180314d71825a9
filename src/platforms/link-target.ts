/** What a link or an id leads to: an endpoint of its platform, with parameters. */
export interface LinkTarget {
  /** The path below `/<platform>/v3/`, such as `video/details`. */
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Parameters that the endpoint needs besides these and that the link does not hold. */
  readonly missing?: readonly string[];
}

/**
 * A platform as everybody may know it: its names, its links and its ids. The service, the client library and the page
 * share these, so the files that declare them (`<name>/links.ts`) import nothing but this one and run in browsers.
 */
export interface PlatformLinks {
  /** The neutral id in paths, such as `p1`. */
  readonly id: string;
  /** Its name for people. */
  readonly name: string;
  /** Its place among platforms whose ids look alike: the lowest is the likeliest meaning of a bare id. */
  readonly idRank: number;
  /** What a link leads to; undefined for a link of another site, or one that leads to no endpoint. */
  ofLink(url: URL): LinkTarget | undefined;
  /** What a text that is not a link may lead to, as an id or a name. */
  ofId(text: string): LinkTarget | undefined;
}

/** Parses a link of the web; null for anything else. */
export function webUrl(link: string): URL | null {
  const url = URL.canParse(link) ? new URL(link) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** The segments of a link's path, as they are written, without empty ones. */
export function pathSegments({ pathname }: URL): readonly string[] {
  return pathname.split('/').filter((segment) => segment !== '');
}
