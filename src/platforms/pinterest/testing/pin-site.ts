import { MillraceError } from '../../../contract/errors.ts';
import type { Extraction } from '../../platform.ts';
import { type FakeSite, fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { pinDetails } from '../endpoints/pin-details.ts';
import { defaultSite } from '../site.ts';

// A simulated site that answers each kind of request, for tests.

/** The pin that is asked for where nothing else is said. */
export const pinId = '31454897393552949';

/** What a step does that fails; a site does so with every kind of request that it has no reply for. */
export const down = () => new MillraceError('connection_error', 'No connection.');
export const late = () => new MillraceError('operation_timeout', 'Late.');

/** A page without data. */
export const shell: Reply = { body: '<html><body>Pinterest</body></html>' };

type RequestKind = 'resource' | 'detailed' | 'page' | 'oembed' | 'short';

/** Replies by the kind of request. */
export type Replies = { [Kind in RequestKind]?: Reply | ((request: SeenRequest) => Reply) };

/** A site that replies so. */
export function site(replies: Replies, surroundings: Surroundings = {}): FakeSite {
  return fakeSite((request) => {
    const reply = replies[kindOf(request)] ?? down();
    return typeof reply === 'function' ? reply(request) : reply;
  }, surroundings);
}

/** What the endpoint answers. */
export function details({ context }: FakeSite, parameters: Record<string, string> = { pinId }): Promise<Extraction> {
  return pinDetails(defaultSite).extract(parameters, context);
}

/** The kinds of requests that a site has requests, in order. */
export const kinds = ({ requests }: FakeSite): RequestKind[] => requests.map(kindOf);

function kindOf({ url }: SeenRequest): RequestKind {
  if (url.pathname.startsWith('/url_shortener/')) return 'short';
  if (url.pathname === '/oembed.json') return 'oembed';
  if (url.pathname.startsWith('/pin/')) return 'page';
  return url.searchParams.get('data')?.includes('"detailed"') ? 'detailed' : 'resource';
}
