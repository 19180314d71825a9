import { MillraceError } from '../../../contract/errors.ts';
import type { Extraction } from '../../platform.ts';
import { type FakeSite, fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { pinDetails } from '../endpoints/pin-details.ts';
import { defaultSite } from '../site.ts';

// A simulated site with a reply for each kind of request, for tests.

/** The default pin ID of requests. */
export const pinId = '31454897393552949';

/** The reply of a failing request, and the default for every kind of request. */
export const down = () => new MillraceError('connection_error', 'No connection.');
export const late = () => new MillraceError('operation_timeout', 'Late.');

/** A page without data. */
export const shell: Reply = { body: '<html><body>Pinterest</body></html>' };

type RequestKind = 'resource' | 'detailed' | 'page' | 'oembed' | 'short';

/** Replies by kind of request. */
export type Replies = { [Kind in RequestKind]?: Reply | ((request: SeenRequest) => Reply) };

/** Creates a site with these replies. */
export function site(replies: Replies, surroundings: Surroundings = {}): FakeSite {
  return fakeSite((request) => {
    const reply = replies[kindOf(request)] ?? down();
    return typeof reply === 'function' ? reply(request) : reply;
  }, surroundings);
}

/** Runs the endpoint. */
export function details({ context }: FakeSite, parameters: Record<string, string> = { pinId }): Promise<Extraction> {
  return pinDetails(defaultSite).extract(parameters, context);
}

/** The kinds of a site's requests, in order. */
export const kinds = ({ requests }: FakeSite): RequestKind[] => requests.map(kindOf);

function kindOf({ url }: SeenRequest): RequestKind {
  if (url.pathname.startsWith('/url_shortener/')) return 'short';
  if (url.pathname === '/oembed.json') return 'oembed';
  if (url.pathname.startsWith('/pin/')) return 'page';
  return url.searchParams.get('data')?.includes('"detailed"') ? 'detailed' : 'resource';
}
