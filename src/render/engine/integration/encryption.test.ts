import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { retypeStream } from '../testing/retype-stream.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('fragmented.mp4', 'encrypted.mp4', 'av.ts');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Processes the parts of one input. */
function run(parts: readonly string[], ext: OutputContainer, type: EngineOperation, copyStreams: boolean) {
  const [first = { path: '' }, ...followedBy] = parts.map((name) => ({ path: media.file(name) }));
  return engine.process(
    {
      directory: media.path,
      inputs: [{ ...first, followedBy }],
      output: { path: media.file(`result.${ext}`), ext },
      operation: { type, copyStreams },
      maxOutputBytes: 1e7,
    },
    { signal: new AbortController().signal },
  );
}

/** Returns a copy of the encrypted file with renamed boxes. */
function renamed(name: string, names: Readonly<Record<string, string>>): string {
  const bytes = readFileSync(media.file('encrypted.mp4'));
  for (const [from, to] of Object.entries(names)) {
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 4)) bytes.write(to, at, 'latin1');
  }
  writeFileSync(media.file(name), bytes);
  return name;
}

const refusal = (what: string, stream: number) => ({
  code: 'source_unsupported',
  message: `${what} (stream ${stream}) is encrypted. Millrace does not decrypt media; use a source without DRM.`,
  input: 0,
});

describe('encryption that begins in a later part', () => {
  it.each<[EngineOperation, OutputContainer, boolean, string, stream: number]>([
    ['extract_video', 'mkv', true, 'The h264 video', 0],
    ['convert_format', 'mp4', false, 'The h264 video', 0],
    ['extract_audio', 'm4a', false, 'The aac audio', 1],
  ])('is reported with the part: %s into %s (copied: %s)', async (type, ext, copyStreams, what, stream) => {
    const done = run(['fragmented.mp4', 'encrypted.mp4'], ext, type, copyStreams);
    await expect(done).rejects.toMatchObject(refusal(`${what} of part 2 of input 1`, stream));
  });
});

describe('encryption detection', () => {
  it('uses the sample description if no sample has its own initialization vector', async () => {
    const name = renamed('constant.mp4', { senc: 'free', saiz: 'free', saio: 'free' });
    const done = run([name], 'mkv', 'convert_format', true);
    await expect(done).rejects.toMatchObject(refusal('The h264 video of input 1', 0));
  });

  it('uses the packets', async () => {
    const name = renamed('undeclared.mp4', { encv: 'avc1', enca: 'mp4a' });
    const done = run([name], 'mkv', 'extract_audio', true);
    await expect(done).rejects.toMatchObject(refusal('The aac audio of input 1', 1));
  });

  it('uses the MPEG-TS stream type', async () => {
    const bytes = retypeStream(readFileSync(media.file('av.ts')), 0x1b, 0xdb);
    writeFileSync(media.file('sample-aes.ts'), bytes);
    await expect(run(['sample-aes.ts'], 'mp4', 'convert_format', true)).rejects.toMatchObject(
      refusal('The h264 video of input 1', 0),
    );
    await expect(run(['sample-aes.ts'], 'm4a', 'extract_audio', true)).resolves.toBeDefined();
  });
});
