import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import type { Egress } from '../../egress/egress.ts';
import { createJobMemory } from './held-memory.ts';
import { linkOf } from './links/input-link.ts';
import { fixedLink } from './links/source-link.ts';
import { createPlaylistMemory, openInputPlaylists } from './playlist-memory.ts';
import { selectPlaylists } from './select-playlists.ts';
import { startOrigin } from './testing/origin.ts';

/** A playlist that takes more memory when it is parsed than a response does at first. */
const playlist = `#EXTM3U\n${'#EXTINF:1,\ns.ts\n'.repeat(500)}#EXT-X-ENDLIST\n`;
let requests = 0;

let origin: Awaited<ReturnType<typeof startOrigin>>;
let egress: Egress;
beforeAll(async () => {
  egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  origin = await startOrigin({
    '/list.m3u8': (_request, response) => {
      requests += 1;
      response.end(playlist);
    },
  });
});
afterAll(async () => {
  await egress.close();
  await origin.close();
});

/** Selects the playlist while another download holds memory, until the given number of waits. */
async function selectBeside(heldUntil: number) {
  const [input] = parseJob({
    id: 'job',
    inputs: [{ url: `${origin.url}/list.m3u8`, ext: 'm3u8' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  }).inputs;
  if (input === undefined) throw new Error('the job has an input');
  const owner = serviceCaller.key;
  const memory = createPlaylistMemory(400_000);
  memory.take(owner, 100_000);
  const playlists = openInputPlaylists(owner, memory);
  let waits = 0;
  requests = 0;
  const selected = selectPlaylists({
    egress,
    caller: serviceCaller,
    link: fixedLink(linkOf(input)),
    name: 'Input 1',
    rangeType: 'header',
    heldMemory: createJobMemory(),
    playlists,
    allowsPage: false,
    pause: async () => {
      waits += 1;
      if (waits === heldUntil) memory.give(owner, 100_000);
    },
    signal: new AbortController().signal,
    onFailure: () => undefined,
  });
  const outcome = await selected.then(
    ([first]) => first?.media.segments.length,
    (error: { code: string }) => error.code,
  );
  return { outcome, waits, requests };
}

test('a playlist waits until others have given back the memory that it needs', async () => {
  expect(await selectBeside(3)).toEqual({ outcome: 500, waits: 3, requests: 1 });
});

test('a playlist that gets no memory for 20 s fails, and is not requested again', async () => {
  expect(await selectBeside(1_000)).toEqual({ outcome: 'service_unavailable', waits: 40, requests: 1 });
});
