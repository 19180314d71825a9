import { createCipheriv } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceCaller } from '../../../contract/caller.ts';
import { parseJob } from '../../../contract/parse-job.ts';
import { createEgress } from '../../../egress/create-egress.ts';
import type { Egress } from '../../../egress/egress.ts';
import { parsePlaylist } from '../../../hls/testing/parse-playlist.ts';
import { createHeldMemory, createJobMemory, type HeldMemory } from '../held-memory.ts';
import { linkOf } from '../links/input-link.ts';
import { fixedLink } from '../links/source-link.ts';
import { openInputPlaylists } from '../playlist-memory.ts';
import { createKeyStore } from '../segment-keys.ts';
import type { Source } from '../source-request.ts';
import { createBytes } from '../testing/downloads.ts';
import { serveRanges, serveWhole, startOrigin } from '../testing/origin.ts';
import { createSegmentReader } from './read-segment.ts';

const content = createBytes(400_000);
const [key, iv] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
const cipher = createCipheriv('aes-128-cbc', key, iv);
const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);

let origin: Awaited<ReturnType<typeof startOrigin>>;
let egress: Egress;
beforeAll(async () => {
  egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  origin = await startOrigin({
    '/ranges': serveRanges(content),
    '/whole': serveWhole(content),
    '/encrypted': serveRanges(encrypted),
    '/key': serveWhole(key),
  });
});
afterAll(async () => {
  await egress.close();
  await origin.close();
});

/** Reads the only segment of a playlist. */
async function read(
  lines: readonly string[],
  how: 'read' | 'readHead' = 'read',
  { maxBytes, memory = createJobMemory() }: { readonly maxBytes?: number; readonly memory?: HeldMemory } = {},
) {
  const text = ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST'].join('\n');
  const media = parsePlaylist(text, `${origin.url}/media.m3u8`);
  const [segment] = media.kind === 'media' ? media.segments : [];
  if (segment === undefined) throw new Error('it has a segment');
  const [input] = parseJob({
    id: 'job',
    inputs: [{ url: `${origin.url}/media.m3u8`, ext: 'm3u8' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  }).inputs;
  if (input === undefined) throw new Error('the job has an input');
  const sourceFor = (url: string, name: string): Source => ({
    egress,
    caller: serviceCaller,
    link: fixedLink(linkOf({ ...input, url })),
    name,
    rangeType: 'header',
    heldMemory: createJobMemory(),
    playlists: openInputPlaylists(''),
    allowsPage: false,
    pause: async () => undefined,
    signal: new AbortController().signal,
    onFailure: () => undefined,
  });
  let received = 0;
  const keys = createKeyStore(sourceFor(`${origin.url}/media.m3u8`, 'Input 1'));
  const onBytes = (bytes: number) => {
    received = bytes;
  };
  const reader = createSegmentReader({
    keys,
    sourceFor,
    nameOf: () => 'Segment 1 of 1',
    onBytes,
    memory,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const { bytes, isWhole } = await reader[how](segment);
  const held = memory.used;
  reader.close();
  return { bytes, isWhole, received, held };
}

const keyLine = `#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x${iv.toString('hex')}`;

test.each([
  ['a server with ranges', ['#EXTINF:4,', 'ranges'], content],
  ['a server without ranges', ['#EXTINF:4,', 'whole'], content],
  ['a byte range', ['#EXT-X-BYTERANGE:1000@5000', '#EXTINF:4,', 'ranges'], content.subarray(5000, 6000)],
  ['an encrypted segment', [keyLine, '#EXTINF:4,', 'encrypted'], content],
])('a segment is read whole from %s', async (_what, lines, expected) => {
  const { bytes, isWhole } = await read(lines);
  expect(isWhole).toBe(true);
  expect(bytes.equals(expected)).toBe(true);
});

test('only the beginning of a segment is fetched to see how it begins', async () => {
  const { bytes, isWhole, received } = await read(['#EXTINF:4,', 'ranges'], 'readHead');
  expect([bytes.length, isWhole, received]).toEqual([128 * 1024, false, 128 * 1024]);
});

test('an encrypted segment that is too large is decrypted to its end, and its beginning is kept', async () => {
  const { bytes, isWhole } = await read([keyLine, '#EXTINF:4,', 'encrypted'], 'read', { maxBytes: 100_000 });
  expect(isWhole).toBe(false);
  expect(bytes.equals(content.subarray(0, 100_000))).toBe(true);
});

test.each([
  ['a plain segment', ['#EXTINF:4,', 'ranges']],
  ['an encrypted segment', [keyLine, '#EXTINF:4,', 'encrypted']],
])('%s is kept as far as the memory allows, which it gives back', async (_what, lines) => {
  const memory = createHeldMemory(200_000);
  const { bytes, isWhole, held } = await read(lines, 'read', { memory });
  expect([isWhole, held >= bytes.length, held <= 200_000, memory.used]).toEqual([false, true, true, 0]);
  expect(bytes.equals(content.subarray(0, bytes.length))).toBe(true);
});
