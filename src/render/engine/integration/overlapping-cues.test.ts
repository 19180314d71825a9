import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('rolling.mkv', 'early-cues.mkv', 'open-cues.mkv');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Verifies the copy of a file and returns its stream times, its text samples and its lost cues. */
async function convert(name: string, ext: OutputContainer) {
  const { path, report } = await processAndVerify(engine, media, { inputs: [name], ext });
  const { streams } = await describeMedia(path);
  const subtitles = streams.find(({ kind }) => kind === 'subtitle');
  return {
    begins: streams[0]?.first,
    ends: subtitles?.end,
    cues: subtitles?.cues.map(([at, text]) => [Number(at.toFixed(2)), text.replace(/^\0./s, '')]),
    lost: report.notes.filter(({ code }) => code === 'subtitle_cues_left_out').map(({ message }) => message),
  };
}

const rolling = Array.from({ length: 9 }, (_, at) => {
  const alone = [1.5 + 2 * at, `cue ${at}`];
  return at === 0 ? [[0.5, 'cue 0']] : [[0.5 + 2 * at, `cue ${at - 1}\ncue ${at}`], alone];
}).flat();

describe('overlapping cues', () => {
  it.each(['mp4', 'mov'] as const)('are displayed together in %s, at their times', async (ext) => {
    const { begins, ends, cues, lost } = await convert('rolling.mkv', ext);
    expect(cues).toEqual([[0, ''], ...rolling]);
    expect([begins, ends, lost]).toEqual([0, 19.5, []]);
  });

  it('keep their times when they are copied from MP4', async () => {
    await convert('rolling.mkv', 'mp4');
    renameSync(media.file('result.mp4'), media.file('rolling.mp4'));
    for (const ext of ['mp4', 'mov'] as const) {
      expect((await convert('rolling.mp4', ext)).cues).toEqual([[0, ''], ...rolling]);
    }
    expect((await convert('rolling.mp4', 'mkv')).cues).toEqual(rolling);
  });

  it('stay separate in Matroska', async () => {
    const { cues } = await convert('rolling.mkv', 'mkv');
    expect(cues).toEqual(Array.from({ length: 9 }, (_, at) => [0.5 + 2 * at, `cue ${at}`]));
  });
});

describe('cues before the first frame', () => {
  const lost = ['The subrip subtitle of input 1 lost cues: 1 of 3 (ended before the video or audio begins).'];

  it('are shortened in MP4, or reported in a note', async () => {
    const converted = await convert('early-cues.mkv', 'mp4');
    expect(converted).toMatchObject({ begins: 0, ends: 2, lost });
    expect(converted.cues?.filter(([, text]) => text !== '')).toEqual([
      [0, 'around'],
      [1, 'after'],
    ]);
  });

  it('do not delay the video in Matroska', async () => {
    expect(await convert('early-cues.mkv', 'mkv')).toEqual({
      begins: expect.closeTo(0, 1),
      ends: 2,
      cues: [
        [0, 'around'],
        [1, 'after'],
      ],
      lost,
    });
  });
});

it.each(['mp4', 'mov'] as const)('cues without a duration last until the next cue or the end in %s', async (ext) => {
  const { ends, cues, lost } = await convert('open-cues.mkv', ext);
  expect(cues).toEqual([
    [0, ''],
    [0.5, 'first'],
    [1.5, 'second'],
  ]);
  expect(ends).toBeCloseTo(4, 1);
  expect(lost).toEqual([]);
});
