import type { RequestListener } from 'node:http';
import { MillraceError } from '../../contract/errors.ts';
import type { MediaFetch } from '../../contract/media-fetch.ts';
import type { LinkOrigin } from '../../contract/media-origin.ts';
import type { FreshLink, FreshLinks } from '../../link-healing/fresh-links.ts';
import type { HealRequest, LinkHealer } from '../../link-healing/link-healer.ts';
import type { RelayOrder } from '../relay-link.ts';
import { relayTo, respondWith, serveFile } from './test-relay.ts';

/** Where the links of the tests come from. */
export const origin: LinkOrigin = {
  platform: 'p1',
  endpoint: '/video/details',
  parameters: { videoId: 'a' },
  content: 0,
  profile: 'best',
  representation: { repId: '137', kind: 'video' },
};
/** Returns the result of a healer: a link to the file on `new.example`, with changes. */
export const fresh = (link: Partial<FreshLink> = {}, profile = 'other'): FreshLinks => ({
  profile,
  links: [{ url: 'https://new.example/file', ext: 'mp4', headers: {}, ...link }],
});

/** Creates a healer that returns the given results, one after the other. */
export function healerOf(...results: readonly (FreshLinks | MillraceError | undefined)[]) {
  const requests: HealRequest[] = [];
  const heal: LinkHealer['heal'] = async (request) => {
    requests.push(request);
    const result = results[requests.length - 1];
    if (result instanceof MillraceError) throw result;
    return result;
  };
  return { heal, requests };
}

/** Creates a relay in front of the hosts, each of which has its own behaviour. `new.example` serves the file. */
export async function relayToHosts(hosts: Record<string, RequestListener>, healer: LinkHealer | undefined) {
  const reports: MediaFetch[] = [];
  const behaviours: Record<string, RequestListener> = { 'new.example': serveFile, ...hosts };
  const relay = await relayTo(
    (request, response) => {
      const behaviour = behaviours[request.headers.host ?? ''] ?? respondWith(500, {});
      behaviour(request, response);
    },
    { healer, reportMediaFetch: (fetch) => reports.push(fetch) },
  );
  const link = (order: Partial<RelayOrder> = {}) => relay.link({ origin, ...order });
  const requests = () => relay.sourceRequests.map(({ headers }) => [headers.host, headers.range]);
  const outcomes = () => reports.map(({ origin, outcome, status, bytes }) => [origin.profile, outcome, status, bytes]);
  return { ...relay, link, plainLink: relay.link, requests, reports, outcomes };
}

/** Behaves differently at each request; the last behaviour remains. */
export function inTurn(...behaviours: readonly RequestListener[]): RequestListener {
  let turn = 0;
  return (request, response) => {
    const behaviour = behaviours[Math.min(turn, behaviours.length - 1)];
    turn += 1;
    behaviour?.(request, response);
  };
}
