import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../create-engine.ts';
import type { Engine } from '../../engine.ts';
import type { FinishTask } from '../../tasks/task.ts';
import { makeDash } from '../../testing/make-dash.ts';
import { readPackets } from '../../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../../testing/test-media.ts';
import { verifyResult } from '../../verification/verify-result.ts';
import { placeFragments } from './place-fragments.ts';

const signal = new AbortController().signal;
const operation = { type: 'join_streams', copyStreams: true } as const;

let media: MediaDirectory;
let engine: Engine;
let remarks: string[] = [];
beforeAll(async () => {
  media = await makeMedia('v.mp4', 'a.m4a');
  await makeDash(media.file('a.m4a'), media.file('dash-a.mp4'));
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  const note = (fields: object) => {
    if ('output' in fields) remarks.push(String(fields.output));
  };
  engine = createEngine({ directory: media.path, spares: 1, log: { debug: note, warn: note } });
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Copies every fragment to its destination, as a download does, and returns the task that completes the result. */
function placeFiles(files: readonly Buffer[]): FinishTask {
  remarks = [];
  const heads = files.map((file) => ({ head: file.subarray(0, 2500), size: file.length }));
  const outcome = placeFragments(heads, operation, 'mp4');
  if ('declined' in outcome) throw new Error(outcome.declined);
  const { ranges, bytes } = outcome.placement;
  const resultBytes = Buffer.alloc(bytes);
  for (const { input, from, to, destination } of ranges) files[input]?.copy(resultBytes, destination, from, to + 1);
  const path = media.file('placed.mp4');
  writeFileSync(path, resultBytes);
  return { directory: media.path, heads, output: { path, ext: 'mp4' }, operation, maxOutputBytes: 10_000_000 };
}

const dash = () => ['dash-a.mp4', 'dash-v.mp4'].map((name) => readFileSync(media.file(name)));

describe('a result with placed media', () => {
  it('is completed by a child process', async () => {
    const report = await engine.finish(placeFiles(dash()), { signal });
    const path = media.file('placed.mp4');
    const [video, audio] = [await readPackets(media.file('dash-v.mp4')), await readPackets(media.file('dash-a.mp4'))];
    expect(await readPackets(path)).toEqual([...video, ...audio]);
    expect(remarks).toEqual([]);
    verifyResult(report, await engine.probe({ directory: media.path, path, ext: 'mp4' }, { signal }));
  });

  it('has the language of its inputs', async () => {
    const task = placeFiles(dash());
    const heads = task.heads.map((head, at) => (at === 0 ? { ...head, language: 'pt-BR' } : head));
    await engine.finish({ ...task, heads }, { signal });
    const { streams } = await describeMedia(media.file('placed.mp4'));
    expect(streams.map(({ metadata: { language } }) => language)).toEqual(['und', 'por']);
    expect(readFileSync(media.file('placed.mp4'), 'latin1')).toContain('elng\0\0\0\0pt-BR\0');
  });

  it('is remuxed from its fragments if they contain an unknown box', async () => {
    const [audio = Buffer.alloc(0), video = Buffer.alloc(0)] = dash();
    // The header of the second audio fragment, which no reader needs.
    const second = audio.indexOf('mfhd', audio.indexOf('mfhd') + 4);
    expect(second).toBeGreaterThan(2500);
    audio.fill('xxxx', second, second + 4);
    const report = await engine.finish(placeFiles([audio, video]), { signal });
    expect(remarks).toEqual([
      'The placed result cannot be completed: Input 1: it has the box "xxxx" in a fragment\n' +
        'The fast path was declined: Input 1: it has the box "xxxx" in a fragment\n',
    ]);
    const hashes = async (name: string) => {
      return (await readPackets(media.file(name))).map(({ packets }) => packets.map(({ hash }) => hash));
    };
    expect(await hashes('placed.mp4')).toEqual([...(await hashes('dash-v.mp4')), ...(await hashes('dash-a.mp4'))]);
    const path = media.file('placed.mp4');
    verifyResult(report, await engine.probe({ directory: media.path, path, ext: 'mp4' }, { signal }));
  });

  it('is refused if its fragments are shorter than declared', async () => {
    const [audio = Buffer.alloc(0), video = Buffer.alloc(0)] = dash();
    // The length that the index declares for the only fragment.
    const length = video.indexOf('sidx') + 32;
    video.writeUInt32BE(video.readUInt32BE(length) * 5, length);
    await expect(engine.finish(placeFiles([audio, video]), { signal })).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 2 ends at 4\.\d s of 20\.\d s: its index declares a longer duration/),
    });
  });

  it('is refused if the task has too many or too large heads', async () => {
    const task = placeFiles(dash());
    const [head] = task.heads;
    if (head === undefined) throw new Error('there are two heads');
    for (const heads of [Array.from({ length: 5 }, () => head), [{ ...head, head: Buffer.alloc(256 * 1024 + 1) }]]) {
      await expect(engine.finish({ ...task, heads }, { signal })).rejects.toThrow('too many or too large heads');
    }
  });
});
