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
 * these, so the files that declare them (`<name>/links.ts`) import nothing but this one and run in browsers.
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

/** Parses an `http` or `https` link. Returns null for anything else. */
export function webUrl(link: string): URL | null {
  const url = URL.canParse(link) ? new URL(link) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** Returns the segments of a link's path, undecoded and without empty ones. */
export function pathSegments({ pathname }: URL): readonly string[] {
  return pathname.split('/').filter((segment) => segment !== '');
}
