import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('a.ac3');
  const whole = readFileSync(media.file('a.ac3'));
  // A recording begins and ends anywhere.
  writeFileSync(media.file('cut-in.ac3'), whole.subarray(200));
  writeFileSync(media.file('cut-off.ac3'), whole.subarray(0, -200));
  writeFileSync(media.file('cut-to-header.ac3'), whole.subarray(0, whole.lastIndexOf(Buffer.from([0x0b, 0x77])) + 5));
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

async function convert(name: string, ext: OutputContainer) {
  const { report } = await processAndVerify(engine, media, {
    inputs: [{ path: media.file(name) }],
    ext,
    type: 'convert_format',
    copyStreams: true,
  });
  return report;
}

const missing = 'The ac3 audio of input 1 has a frame that is not complete, which is missing.';

it.each(['mp4', 'm4a', 'mkv', 'ts'] as const)(
  'AC-3 that begins within a frame is copied without it: %s',
  async (ext) => {
    const { notes } = await convert('cut-in.ac3', ext);
    expect(notes).toEqual([{ code: 'frames_left_out', message: missing, input: 0 }]);
  },
);

it.each(['mp4', 'm4a', 'mkv', 'ts'] as const)('AC-3 that ends within a frame is copied: %s', async (ext) => {
  expect((await convert('cut-off.ac3', ext)).notes).toEqual([]);
  const { notes } = await convert('cut-to-header.ac3', ext);
  expect(notes.map(({ message }) => message).join()).toMatch(/^$|not complete/);
});
