import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.mp4');
  engine = createEngine({ directory: media.path, spares: 1 });
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

function convert(name: string, ext: string, maxOutputBytes = 10_000_000): Promise<ProcessReport> {
  const task = {
    directory: media.path,
    inputs: [{ path: media.file('av.mp4') }],
    output: { path: media.file(name), ext },
    operation: { type: 'convert_format', copyStreams: true },
    maxOutputBytes,
  } as const;
  return engine.process(task, { signal: new AbortController().signal });
}

it('rejects an unknown container', async () => {
  await expect(convert('result.exe', 'exe')).rejects.toMatchObject({
    code: 'incompatible_codecs',
    message: expect.stringMatching(/^exe is not a supported output format. Set output.ext to one of mp4, .*aac\.$/),
  });
});

it('stops a result that exceeds its size limit', async () => {
  await expect(convert('large.mp4', 'mp4', 50_000)).rejects.toMatchObject({
    code: 'processing_failed',
    message:
      'The result exceeded its limit of 50000 bytes. ' +
      'Use a shorter input or another output.ext; the same job would fail again.',
    retryable: false,
  });
});

it('rejects a result path in a missing directory', async () => {
  await expect(convert('no/such/place.mkv', 'mkv')).rejects.toMatchObject({
    code: 'processing_failed',
    cause: expect.objectContaining({ code: 'ENOENT' }),
  });
});
