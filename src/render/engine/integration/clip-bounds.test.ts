import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('gop.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

it.each([
  // A frame lasts 0.04 s.
  ['from frame to frame', 1, 2, 25, 0.96],
  ['from the middle of a frame to the middle of another', 1.02, 2.02, 26, 0.98],
  ['until just before the middle of a frame', 1.02, 2.018, 25, 0.94],
  ['from just after the middle of a frame', 1.022, 2.022, 25, 0.978],
])('an encoded clip has every frame of which it contains half or more: %s', async (_what, start, end, count, last) => {
  const job = { inputs: ['gop.mp4'], ext: 'mkv', copyStreams: false, clip: { start, end } } as const;
  const { path } = await processAndVerify(engine, media, job);
  const times = trackOf(await readPackets(path), 'video').packets.map(({ time }) => time);
  expect([times.length, Math.min(...times), Math.max(...times)]).toEqual([count, 0, expect.closeTo(last, 2)]);
});
