import Type, { type TProperties } from 'typebox';
import type { Endpoint, Extraction } from '../../platform.ts';
import { type Asking, startAsking } from '../ask-page.ts';
import type { AskedSite } from '../site.ts';
import { type ProfileLink, readProfileLink } from './open-profile.ts';
import { urlParameter } from './url-parameter.ts';

/** What differs between the endpoints of a profile. */
interface ProfileEndpoint {
  readonly path: string;
  readonly summary: string;
  /** As in {@link Endpoint}. */
  readonly returns: readonly string[];
  /** Parameters besides `url`. */
  readonly more?: TProperties;
  answer(link: ProfileLink, asking: Asking): Promise<Extraction>;
}

/** An endpoint that is asked with a link to a profile. */
export function profileEndpoint(
  { path, summary, returns, more = {}, answer }: ProfileEndpoint,
  site: AskedSite,
): Endpoint {
  return {
    path,
    summary,
    parameters: Type.Object({ url: urlParameter('https://www.facebook.com/thelab'), ...more }),
    credits: 1,
    contents: false,
    returns,
    async extract({ url }, context) {
      const asking = startAsking(context, site, 'profile');
      return answer(await readProfileLink(url, asking), asking);
    },
  };
}
