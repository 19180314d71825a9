/** @module-tag long */

import { parseFile } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { callMediaLibrary, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['quiet.wav', 'quiet.mp3', 'quiet.m4a', 'quiet.opus', 'quiet.flac', 'quiet.mkv', 'quiet.ts'] as const),
    ...(['a.aac', 'a.ogg', 'a.webm', 'silence.wav'] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const loudness = -14;

/** Copies a file with a loudness, and verifies the result. */
async function copy(name: string, ext: OutputContainer) {
  const { path, report } = await processAndVerify(engine, media, { inputs: [name], ext, loudness });
  return { path, notes: report.notes };
}

/** Returns the tags that another library reads, by their names in lower case. */
async function tagsOf(path: string): Promise<Map<string, unknown>> {
  const { native } = await parseFile(path);
  return new Map(
    Object.values(native).flatMap((tags) =>
      tags.map(({ id, value }) => [id.split(':').at(-1)?.toLowerCase() ?? '', value] as const),
    ),
  );
}

describe('copied audio with a loudness', () => {
  it.each<[MediaName, OutputContainer]>([
    ['quiet.mp3', 'mp3'],
    ['quiet.m4a', 'm4a'],
    ['quiet.m4a', 'mov'],
    ['quiet.mkv', 'mp4'],
    ['quiet.mkv', 'mkv'],
    ['quiet.flac', 'flac'],
    ['a.ogg', 'ogg'],
    ['quiet.opus', 'opus'],
    ['quiet.opus', 'webm'],
    ['a.aac', 'aac'],
    ['quiet.wav', 'wav'],
  ])('gets ReplayGain tags from %s in %s', async (name, ext) => {
    const { path, notes } = await copy(name, ext);
    const { lufs, peak } = await callMediaLibrary('measureLoudness', path);
    const tags = await tagsOf(path);
    const gain = `${tags.get('replaygain_track_gain')}`;
    expect(gain).toMatch(/^-?\d+\.\d\d dB$/);
    expect(Math.abs(lufs + Number.parseFloat(gain) - loudness)).toBeLessThan(0.1);
    expect(Math.abs(20 * Math.log10(Number(tags.get('replaygain_track_peak'))) - peak)).toBeLessThan(0.1);
    expect(notes).toEqual([]);
  });

  it('gets the gain of the Opus standard in Ogg files', async () => {
    const { path } = await copy('quiet.opus', 'opus');
    const { lufs } = await callMediaLibrary('measureLoudness', path);
    const gain = Number((await tagsOf(path)).get('r128_track_gain')) / 256;
    expect(Math.abs(lufs + gain + 23)).toBeLessThan(0.1);
  });

  it('has a note in a container without such tags', async () => {
    expect((await copy('quiet.ts', 'ts')).notes).toEqual([
      {
        code: 'loudness_not_reached',
        message:
          'The aac audio of input 1 is copied, and MPEG-TS cannot store ReplayGain tags. Set copyStreams to false.',
        input: 0,
      },
    ]);
  });

  it('has a note if it is silent', async () => {
    const { path, notes } = await copy('silence.wav', 'wav');
    expect(notes).toMatchObject([{ code: 'loudness_not_reached', input: 0 }]);
    expect((await tagsOf(path)).has('replaygain_track_gain')).toBe(false);
  });

  it('does not keep the tags of its source, which other changes may make wrong', async () => {
    const { path } = await copy('quiet.mp3', 'mp3');
    const second = await processAndVerify(engine, media, { inputs: [{ path }], ext: 'mkv' });
    expect((await tagsOf(second.path)).has('replaygain_track_gain')).toBe(false);
  });
});
