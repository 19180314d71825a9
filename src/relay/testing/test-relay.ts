import { createServer as createOrigin, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { noBlocks } from '../../blocks/block-index.ts';
import { openTestExits } from '../../egress/testing/exits.ts';
import { createServer, type ServerSettings } from '../../http/server.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { createSealers } from '../../sealing/sealers.ts';
import { createConnectionLimit } from '../connection-limit.ts';
import { type RelayOrder, relayLink } from '../relay-link.ts';
import { addRelayRoute, type RelayServices, type RelayWorld } from '../routes.ts';

/** The sealers of the relays. */
export const sealers = createSealers(['a secret of the tests']);

/** The sealer of the relays' live links. */
export const sealer = sealers.live;

/** Creates a relay in front of a source, for one test. All host names resolve to the source. */
export async function relayTo(
  listener: RequestListener,
  { healer, reportMediaFetch, ...more }: Partial<RelayServices & RelayWorld> = {},
  settings: ServerSettings = {},
) {
  const sourceRequests: IncomingMessage[] = [];
  const source = createOrigin((request, response) => {
    sourceRequests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    source.listen(0, '127.0.0.1', resolve);
  });
  const origin = new URL(`http://127.0.0.1:${(source.address() as AddressInfo).port}`);
  const exits = openTestExits({
    EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')],
    EGRESS_CONNECT_TO: [{ pattern: '*', origin }],
  });
  const app = await createServer(pino({ level: 'silent' }), settings);
  let base = '';
  const addresses = () => ({ base, api: base, render: base });
  const limits = { limit: createConnectionLimit(2), blocks: noBlocks, keys: { isDisabled: () => false } };
  const live = { exits, sealer, metrics: createMetrics(), healer, reportMediaFetch };
  addRelayRoute(app, { sealers, worlds: { live }, addresses, ...limits, ...more });
  base = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await app.close();
    await exits.close();
    source.closeAllConnections();
    source.close();
  });
  const link = (order: Partial<RelayOrder> = {}) =>
    relayLink(sealer, base, {
      url: 'https://cdn.example/file',
      headers: {},
      exit: 'direct',
      mediaType: 'video/mp4',
      owner: 'someone',
      expiresAt: Date.now() + 60_000,
      ...order,
    });
  return { link, sourceRequests, base };
}

/** The file that {@link serveFile} serves. */
export const file = Buffer.from('0123456789');

/** A source that supports ranges. */
export const serveFile: RequestListener = ({ headers }, response) => {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const common = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes', etag: '"abc"' };
  if (first === undefined) {
    response.writeHead(200, { ...common, 'content-length': file.length }).end(file);
  } else if (Number(first) >= file.length) {
    response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
  } else {
    const part = file.subarray(Number(first), last ? Number(last) + 1 : undefined);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${file.length}`;
    response.writeHead(206, { ...common, 'content-range': range, 'content-length': part.length }).end(part);
  }
};

/** Creates a source that always sends the same response. */
export const respondWith =
  (status: number, headers: Record<string, string>, body = ''): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Returns the error code of a response. */
export const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
