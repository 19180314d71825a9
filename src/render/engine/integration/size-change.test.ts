import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.ts', 'small.ts');
  const files = ['av.ts', 'small.ts', 'av.ts'].map((name) => readFileSync(media.file(name)));
  writeFileSync(media.file('resized.ts'), Buffer.concat(files));
  writeFileSync(media.file('repeated.ts'), Buffer.concat([files[0] ?? Buffer.alloc(0), files[2] ?? Buffer.alloc(0)]));
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Creates a verified result, and counts the packets of its video. */
async function convert(name: string, ext: OutputContainer, copyStreams: boolean) {
  const { path } = await processAndVerify(engine, media, { inputs: [name], ext, copyStreams });
  return (await readPackets(path)).find(({ kind }) => kind === 'video')?.packets.length;
}

describe('a video whose frame size changes within a file', () => {
  it.each(['mp4', 'mov', 'mkv'] as const)('is not copied into %s', async (ext) => {
    await expect(convert('resized.ts', ext, true)).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringMatching(
        /^The h264 video of input 1 changes its size or encoding at 4\.\d s of the result, .* Set copyStreams to false to re-encode it\.$/,
      ),
      input: 0,
    });
  });

  it('is copied into MPEG-TS, and encoded to a single size', async () => {
    expect(await convert('resized.ts', 'ts', true)).toBe(300);
    expect(await convert('resized.ts', 'mp4', false)).toBe(300);
  });

  it('is copied if only its clock restarts', async () => {
    expect(await convert('repeated.ts', 'mp4', true)).toBe(200);
  });
});
