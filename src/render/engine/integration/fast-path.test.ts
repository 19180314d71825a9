import { readFileSync, writeFileSync } from 'node:fs';
import { parseFile } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import { readResult } from '../mp4/read-result.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeCovers } from '../testing/make-covers.ts';
import { makeDash } from '../testing/make-dash.ts';
import { readPackets } from '../testing/read-packets.ts';
import { callMediaLibrary, describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
/** Log lines of the engine. */
let remarks: string[] = [];
beforeAll(async () => {
  media = await makeMedia(
    ...(['av.mp4', 'v.mp4', 'a.m4a', 'fragmented.mp4', 'rich.mp4', 'a.webm', 'av.ts'] as const),
    ...(['late.mp4', 'late-audio.mp4', 'long-audio.mp4', 'mp2.ts'] as const),
  );
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  await makeDash(media.file('a.m4a'), media.file('dash-a.mp4'));
  engine = createInProcessEngine((text) => void remarks.push(text));
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

type Type = ProcessTask['operation']['type'];

function taskOf(type: Type, name: string, ext: string, inputs: readonly string[]): ProcessTask {
  return {
    directory: media.path,
    inputs: inputs.map((input) => ({ path: media.file(input) })),
    output: { path: media.file(name), ext },
    operation: { type, copyStreams: true },
    maxOutputBytes: 10_000_000,
  };
}

async function run(type: Type, ext: string, inputs: readonly string[]): Promise<ProcessReport> {
  remarks = [];
  return await engine.process(taskOf(type, `result.${ext}`, ext, inputs), { signal: new AbortController().signal });
}

/** Runs an operation with the media library only. */
async function runSlowly(type: Type, ext: string, inputs: readonly string[]): Promise<ProcessReport> {
  return await callMediaLibrary('processWithoutFastPath', taskOf(type, `slow.${ext}`, ext, inputs));
}

/** Describes what a player sees in a file, without the name of the program that wrote it. */
async function describeForPlayers(path: string) {
  const { metadata, streams } = await describeMedia(path);
  const { encoder: _, compatible_brands: _brands, ...words } = metadata;
  return {
    words,
    streams: streams.map(({ kind, codec, flags, turn, first = 0, end = 0, metadata: { language } }) => {
      return { kind, codec, flags, turn, language, first: first.toFixed(2), end: end.toFixed(1) };
    }),
  };
}

describe('the fast path', () => {
  it.each<[Type, string, string[]]>([
    ['convert_format', 'mp4', ['av.mp4']],
    ['convert_format', 'mp4', ['fragmented.mp4']],
    ['convert_format', 'mp4', ['late.mp4']],
    ['convert_format', 'mp4', ['late-audio.mp4']],
    ['convert_format', 'mp4', ['long-audio.mp4']],
    ['convert_format', 'mp4', ['turned.mp4']],
    ['join_streams', 'mp4', ['v.mp4', 'a.m4a', 'long-audio.mp4']],
    ['join_streams', 'm4a', ['a.m4a', 'a.m4a']],
    ['join_streams', 'mp4', ['dash-v.mp4', 'dash-a.mp4']],
    ['extract_audio', 'm4a', ['late-audio.mp4']],
    ['extract_video', 'mp4', ['late.mp4']],
    ['replace_audio_in_video', 'mp4', ['late.mp4', 'a.m4a']],
    ['convert_format', 'mp4', ['av.ts']],
    ['extract_audio', 'm4a', ['av.ts']],
  ])('writes the same result as the media library: %s into %s from %j', async (type, ext, inputs) => {
    writeFileSync(media.file('turned.mp4'), turned(readFileSync(media.file('av.mp4'))));
    const [fast, slow] = [await run(type, ext, inputs), await runSlowly(type, ext, inputs)];
    expect(remarks).toEqual([]);
    expect(await describeForPlayers(media.file(`result.${ext}`))).toEqual(
      await describeForPlayers(media.file(`slow.${ext}`)),
    );
    const packets = async (name: string) => {
      const tracks = await readPackets(media.file(`${name}.${ext}`));
      return tracks.map(({ packets }) => packets.map(({ time, key, hash }) => [time.toFixed(3), key, hash]));
    };
    expect(await packets('result')).toEqual(await packets('slow'));
    expect(fast.notes).toEqual(slow.notes);
    expect(fast.streams.map(({ kind, codec }) => [kind, codec])).toEqual(
      slow.streams.map(({ kind, codec }) => [kind, codec]),
    );
    expect(fast.duration).toBeCloseTo(slow.duration, 1);
  });

  it.each<[string, string, string]>([
    ['mp4', 'av.mp4', 'cover.jpg'],
    ['m4a', 'a.m4a', 'cover.png'],
    ['mp4', 'av.ts', 'cover.webp'],
  ])('adds tags, chapters and a cover to %s files from %s', async (ext, input, cover) => {
    remarks = [];
    makeCovers(media);
    const path = media.file(`added.${ext}`);
    const task = taskOf(ext === 'mp4' ? 'convert_format' : 'extract_audio', `added.${ext}`, ext, [input]);
    const output = {
      ...task.output,
      metadata: { title: 'A title', description: 'Two\nlines', track: '1/2' },
      chapters: [
        { start: 0, title: 'One' },
        { start: 2, title: 'Two' },
        { start: 900, title: 'After the end' },
      ],
      cover: { path: media.file(cover) },
    };
    const { signal } = new AbortController();
    await engine.process(task, { signal });
    const plain = await hashes(path);
    const report = await engine.process({ ...task, output }, { signal });
    expect(remarks).toEqual([]);
    const message = '1 chapter of the job was left out: the media ends before.';
    expect(report.notes).toEqual([{ code: 'chapters_left_out', message }]);
    const read = await readResult(path);
    expect(read).toMatchObject({ chapters: 2, tags: report.tags, cover: report.cover });
    verifyResult(report, read ?? expect.fail('the result was not read in this process'));
    const { common } = await parseFile(path);
    expect(common).toMatchObject({ title: 'A title', description: ['Two\nlines'], track: { no: 1, of: 2 } });
    expect(common.picture).toHaveLength(1);
    expect((await hashes(path)).slice(0, plain.length)).toEqual(plain);
  });

  async function hashes(path: string): Promise<string[]> {
    return (await readPackets(path)).flatMap(({ packets }) => packets.map(({ hash }) => hash));
  }

  it('keeps the timing of DASH files', async () => {
    await run('join_streams', 'mp4', ['dash-a.mp4', 'dash-v.mp4']);
    expect(remarks).toEqual([]);
    const [video, audio] = [await readPackets(media.file('dash-v.mp4')), await readPackets(media.file('dash-a.mp4'))];
    expect(await readPackets(media.file('result.mp4'))).toEqual([...video, ...audio]);
  });

  /** Returns a copy whose video is rotated by 90°. */
  function turned(file: Buffer): Buffer {
    const matrix = file.indexOf('tkhd') + 4 + 40;
    const one = 0x1_0000;
    for (const [at, value] of [0, one, 0, -one, 0, 0].entries()) file.writeInt32BE(value, matrix + 4 * at);
    return file;
  }
});

describe('files that the fast path declines', () => {
  const video = ['video', 'h264'];
  const audio = ['audio', 'aac'];

  /** Returns a copy of a file in which some letters are replaced by the same number of other letters. */
  function altered(name: string, from: string, to: string): string[] {
    const text = readFileSync(media.file(name), 'latin1');
    expect(text).toContain(from);
    writeFileSync(media.file('altered.mp4'), text.replace(from, to), 'latin1');
    return ['altered.mp4'];
  }

  it.each<[string, Type, string, () => string[], string[][], string]>([
    [
      'titles, subtitles, chapters and covers',
      'convert_format',
      'mp4',
      () => ['rich.mp4'],
      [video, audio, ['subtitle', 'mov_text']],
      'Input 1: it has the box "chpl" among its metadata',
    ],
    [
      'other containers',
      'join_streams',
      'mp4',
      () => ['v.mp4', 'a.webm'],
      [video, ['audio', 'opus']],
      'Input 2: it does not begin like an MP4 file',
    ],
    [
      'MPEG-TS with other codecs',
      'convert_format',
      'mp4',
      () => ['mp2.ts'],
      [['audio', 'mp2']],
      'one of its streams has type 3',
    ],
    [
      'other results',
      'convert_format',
      'mkv',
      () => ['av.mp4'],
      [video, audio],
      'the fast path does not write mkv files',
    ],
    [
      'unknown boxes',
      'convert_format',
      'mp4',
      () => altered('av.mp4', 'sbgp', 'xxxx'),
      [video, audio],
      'Input 1: it has the box "xxxx" among its sample tables',
    ],
    [
      'QuickTime files',
      'convert_format',
      'mp4',
      () => altered('av.mp4', 'isom', 'qt  '),
      [video, audio],
      'Input 1: it is a QuickTime file',
    ],
    [
      'edits that cut media',
      'convert_format',
      'mp4',
      () => altered('v.mp4', editOf('v.mp4'), cutting(editOf('v.mp4'))),
      [video],
      'Input 1: one of its tracks does not play from its beginning',
    ],
  ])(
    'are processed by the media library, with the reason logged: %s',
    async (_what, type, ext, inputs, streams, reason) => {
      const report = await run(type, ext, inputs());
      expect(remarks).toEqual([`The fast path was declined: ${reason}`]);
      expect(report.streams.map(({ kind, codec }) => [kind, codec])).toEqual(streams);
      const resultStreams = (await describeMedia(media.file(`result.${ext}`))).streams.filter(({ flags, kind }) => {
        return !flags.includes('cover') && kind !== 'chapters';
      });
      expect(resultStreams.map(({ kind, codec }) => [kind, codec === 'subrip' ? 'mov_text' : codec])).toEqual(streams);
    },
  );

  /** Returns the edit list of a file, starting with its box type. */
  function editOf(name: string): string {
    const text = readFileSync(media.file(name), 'latin1');
    const at = text.indexOf('elst');
    expect(at).toBeGreaterThan(0);
    return text.slice(at, at + 24);
  }

  /** Returns the edit list with a start one second later. */
  function cutting(edit: string): string {
    const bytes = Buffer.from(edit, 'latin1');
    bytes.writeUInt32BE(bytes.readUInt32BE(16) + 12_800, 16);
    return bytes.toString('latin1');
  }
});
