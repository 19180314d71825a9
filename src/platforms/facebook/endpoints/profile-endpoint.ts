import Type, { type TProperties } from 'typebox';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Endpoint, Extraction } from '../../platform.ts';
import type { SiteAccess } from '../find/fetch-page.ts';
import { type Lookup, startLookup } from '../find/fetch-page.ts';
import { type ProfileLink, readProfileLink } from '../find/profile.ts';
import { subjectsOfUrl } from '../find/url-subjects.ts';
import { urlParameter } from './url-parameter.ts';

/** The parts in which profile endpoints differ. */
interface ProfileEndpoint {
  readonly path: string;
  readonly summary: string;
  /** See {@link Endpoint}. */
  readonly returns: readonly string[];
  /** See {@link Endpoint}. */
  readonly strategies: readonly string[];
  /** Parameters besides `url`. */
  readonly more?: TProperties;
  extract(link: ProfileLink, lookup: Lookup): Promise<Extraction>;
}

/** Creates an endpoint whose parameter is a link to a profile. */
export function profileEndpoint(
  { path, summary, returns, strategies, more = {}, extract }: ProfileEndpoint,
  access: SiteAccess,
): Endpoint {
  return defineEndpoint({
    path,
    summary,
    parameters: Type.Object({ url: urlParameter('https://www.facebook.com/thelab'), ...more }),
    credits: 1,
    contents: false,
    returns,
    strategies,
    subjects: ({ url }) => subjectsOfUrl(url),
    async extract({ url }, context) {
      const lookup = startLookup(context, access, 'profile');
      return extract(await readProfileLink(url, lookup), lookup);
    },
  });
}
