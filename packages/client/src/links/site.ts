import type { EndpointOf, PlatformId } from '../parameters.ts';

/** What a link or an id leads to, as the extraction API is asked for it. */
export type RecognisedLink = {
  readonly [P in PlatformId]: {
    readonly platform: P;
    readonly endpoint: EndpointOf<P>;
    readonly parameters: Readonly<Record<string, string>>;
    /** Parameters that the endpoint needs beside these, and that the link does not tell. */
    readonly missing?: readonly string[];
  };
}[PlatformId];

/** What of {@link RecognisedLink} a site's own rules say. */
type Meaning<P extends PlatformId> = Omit<Extract<RecognisedLink, { platform: P }>, 'platform'>;

/** Recognises the links of one site, and the ids that it gives. */
export interface Site {
  /** What a link leads to, by a host that is the site's; undefined where it means nothing. */
  link(url: URL): RecognisedLink | undefined;
  /** What a text that is no link may be. */
  id(text: string): RecognisedLink | undefined;
}

/**
 * Makes a site from its rules.
 *
 * @param hosts What its hosts look like, in whole.
 */
export function siteOf<P extends PlatformId>(
  platform: P,
  hosts: RegExp,
  link: (url: URL, steps: readonly string[]) => Meaning<P> | undefined,
  id: (text: string) => Meaning<P> | undefined,
): Site {
  const told = (meaning: Meaning<P> | undefined) =>
    // One member for each platform, of which this is the one.
    meaning === undefined ? undefined : ({ platform, ...meaning } as unknown as RecognisedLink);
  return {
    link: (url) => (hosts.test(url.hostname) ? told(link(url, stepsOf(url))) : undefined),
    id: (text) => told(id(text)),
  };
}

/** The steps of a link's path, as they are meant. */
function stepsOf({ pathname }: URL): readonly string[] {
  return pathname.split('/').filter((step) => step !== '');
}

/** A step of a path as text; as it stands, where it is wrongly encoded. */
export function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
