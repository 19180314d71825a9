/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { endOf, startsOf, trackOf } from '../testing/packet-times.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

const names = ['second.ts', 'second-later-a.ts', 'second-later-v.ts'] as const;

import { processAndVerify } from '../testing/process-and-verify.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(...names);
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

async function process(name: MediaName, ext: 'mp4' | 'm4a', type: EngineOperation) {
  const files = Array.from({ length: 30 }, (_, section) => ({ path: media.file(name), duration: 1, section }));
  const [first = { path: '' }, ...followedBy] = files;
  const { path, report } = await processAndVerify(engine, media, { inputs: [{ ...first, followedBy }], ext, type });
  expect(report.notes).toEqual([]);
  return await readPackets(path);
}

describe('the boundaries of 30 parts', () => {
  it.each(names)('are at the same times whichever streams are used: %s', async (name) => {
    const together = await process(name, 'mp4', 'convert_format');
    for (const [kind, ext, type] of [
      ['video', 'mp4', 'extract_video'],
      ['audio', 'm4a', 'extract_audio'],
    ] as const) {
      const [expected, alone] = [trackOf(together, kind), trackOf(await process(name, ext, type), kind)];
      const [from = 0] = startsOf(expected);
      const [begin = 0] = startsOf(alone);
      const moved = startsOf(alone).map((start) => start - begin + from);
      expect(moved).toHaveLength(expected.packets.length);
      startsOf(expected).forEach((start, at) => {
        expect(Math.abs((moved[at] ?? 0) - start), `packet ${at} of the ${kind}`).toBeLessThan(0.002);
      });
      expect(endOf(alone) - begin).toBeCloseTo(endOf(expected) - from, 2);
    }
  });
});
