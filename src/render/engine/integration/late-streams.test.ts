/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('one-frame.ts', 'very-late-audio.ts', 'a.m4a', 'av.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Carries out an operation, verifies the result, and reads when its streams begin and end. */
async function run(type: EngineOperation, names: readonly MediaName[], ext: OutputContainer, copyStreams = true) {
  const { report } = await processAndVerify(engine, media, { inputs: names, ext, type, copyStreams });
  expect(report.notes).toEqual([]);
  expect(report.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  return report;
}

describe('a single video frame with audio in MPEG-TS, which the demuxer delivers at the end', () => {
  it.each(['mp4', 'mov', 'mkv', 'ts'] as const)('is copied into %s, and displayed at the beginning', async (ext) => {
    const { streams } = await run('convert_format', ['one-frame.ts'], ext);
    expect(streams.map(({ stats }) => stats?.packets)).toEqual([1, expect.any(Number)]);
    if (ext === 'ts') return;
    const described = await describeMedia(media.file(`result.${ext}`));
    expect(described.streams[0]?.first).toBeLessThan(0.2);
    expect(described.streams[1]?.end).toBeGreaterThan(14.9);
  });

  it('can be encoded', async () => {
    const { streams } = await run('convert_format', ['one-frame.ts'], 'mp4', false);
    expect(streams[0]?.stats).toMatchObject({ packets: 1 });
  });

  it.each<[EngineOperation, MediaName[]]>([
    ['mix_audio_and_video', ['one-frame.ts', 'a.m4a']],
    ['replace_audio_in_video', ['one-frame.ts', 'a.m4a']],
    ['replace_audio_in_video', ['av.mp4', 'one-frame.ts']],
  ])('is supported as an input of %s with %j', async (type, names) => {
    await run(type, names, 'mp4');
  });
});

describe('audio that begins late in MPEG-TS', () => {
  it.each(['mp4', 'mkv', 'ts'] as const)('is copied into %s', async (ext) => {
    const { streams } = await run('convert_format', ['very-late-audio.ts'], ext);
    const [video, audio] = streams.map(({ stats }) => stats?.first ?? 0);
    expect((audio ?? 0) - (video ?? 0)).toBeCloseTo(45, 0);
  });
});
