import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeDash, readSource } from '../testing/make-dash.ts';
import { type PacketTrack, readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import { idlePacer } from '../testing/test-pacers.ts';
import { verifyResult } from '../verification/verify-result.ts';
import { readTopBoxes } from './box-reader.ts';
import { openOutputFile } from './open-files.ts';
import { remuxMp4 } from './remux.ts';

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia();
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  await makeDash(media.file('a.m4a'), media.file('dash-a.mp4'));
});
afterAll(() => media?.remove());

function taskOf(type: ProcessTask['operation']['type'], ext: string, names: readonly string[]): ProcessTask {
  return {
    directory: media.path,
    inputs: names.map((name) => ({ path: media.file(name), duration: mediaSeconds })),
    output: { path: media.file(`result.${ext}`), ext },
    operation: { type, copyStreams: true },
    maxOutputBytes: 10_000_000,
  };
}

async function remux(type: ProcessTask['operation']['type'], ext: string, ...names: string[]): Promise<ProcessReport> {
  const outcome = await remuxMp4(taskOf(type, ext, names), idlePacer);
  if ('declined' in outcome) throw new Error(`declined: ${outcome.declined}`);
  return outcome.report;
}

const only = (tracks: readonly PacketTrack[], kind: string) => tracks.filter((track) => track.kind === kind);

describe('the packets of a remuxed result', () => {
  it.each([
    [
      'convert_format',
      'mp4',
      ['av.mp4'],
      [
        ['av.mp4', 'video'],
        ['av.mp4', 'audio'],
      ],
    ],
    [
      'convert_format',
      'mp4',
      ['moov-last.mp4'],
      [
        ['moov-last.mp4', 'video'],
        ['moov-last.mp4', 'audio'],
      ],
    ],
    [
      'convert_format',
      'mp4',
      ['fragmented.mp4'],
      [
        ['fragmented.mp4', 'video'],
        ['fragmented.mp4', 'audio'],
      ],
    ],
    ['convert_format', 'm4a', ['a.m4a'], [['a.m4a', 'audio']]],
    [
      'join_streams',
      'mp4',
      ['a.m4a', 'v.mp4'],
      [
        ['v.mp4', 'video'],
        ['a.m4a', 'audio'],
      ],
    ],
    [
      'join_streams',
      'mp4',
      ['dash-v.mp4', 'dash-a.mp4'],
      [
        ['dash-v.mp4', 'video'],
        ['dash-a.mp4', 'audio'],
      ],
    ],
    ['extract_audio', 'm4a', ['av.mp4'], [['av.mp4', 'audio']]],
    ['extract_audio', 'm4a', ['fragmented.mp4'], [['fragmented.mp4', 'audio']]],
    ['extract_video', 'mp4', ['av.mp4'], [['av.mp4', 'video']]],
    [
      'replace_audio_in_video',
      'mp4',
      ['av.mp4', 'a.m4a'],
      [
        ['av.mp4', 'video'],
        ['a.m4a', 'audio'],
      ],
    ],
  ] as const)('are those of the inputs: %s into %s from %j', async (type, ext, names, expectedStreams) => {
    const report = await remux(type, ext, ...names);
    const tracks = await readPackets(media.file(`result.${ext}`));
    const inputTracks: PacketTrack[] = [];
    for (const [name, kind] of expectedStreams) inputTracks.push(...only(await readPackets(media.file(name)), kind));
    const start = Math.min(...inputTracks.map(({ packets }) => Math.max(0, packets[0]?.time ?? 0)));
    const expectedTracks = inputTracks.map((track) => shiftTrack(track, start));
    // The reader estimates the duration of frames at fragment boundaries.
    const compare = names.some((name) => name === 'fragmented.mp4') ? withoutDurations : same;
    expect(compare(tracks)).toEqual(compare(expectedTracks));
    expect(report.streams.map(({ kind }) => kind)).toEqual(expectedStreams.map(([, kind]) => kind));
    expect(report.bytes).toBe(statSync(media.file(`result.${ext}`)).size);
    expect(report.duration).toBeCloseTo(mediaSeconds, 0);
    expect(report.notes).toEqual([]);
  });

  const same = (tracks: readonly PacketTrack[]) => tracks;
  const withoutDurations = (tracks: readonly PacketTrack[]) => {
    return tracks.map((track) => ({ ...track, packets: track.packets.map(({ duration: _, ...rest }) => rest) }));
  };

  /** Moves a track to an earlier start. If all tracks of a file begin late, the result still begins at zero. */
  function shiftTrack(track: PacketTrack, start: number): PacketTrack {
    if (start === 0) return track;
    const packets = track.packets.map((packet) => ({ ...packet, time: Math.round((packet.time - start) * 1e5) / 1e5 }));
    return { ...track, packets };
  }
});

it('a remuxed result passes the engine’s verification', async () => {
  const engine = createInProcessEngine();
  const { signal } = new AbortController();
  try {
    for (const name of ['av.mp4', 'fragmented.mp4']) {
      const report = await remux('convert_format', 'mp4', name);
      const path = media.file('result.mp4');
      verifyResult(report, await engine.probe({ directory: media.path, path, ext: 'mp4' }, { signal }));
    }
  } finally {
    await engine.close();
  }
});

it('a remuxed result has its index before the media, in a file of three boxes', async () => {
  await remux('convert_format', 'mp4', 'moov-last.mp4');
  expect(readTopBoxes(readSource(media.file('result.mp4'))).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
});

it('a remux fails if its result exceeds the size limit or cannot be written', async () => {
  const task = taskOf('convert_format', 'mp4', ['av.mp4']);
  await expect(remuxMp4({ ...task, maxOutputBytes: 50_000 }, idlePacer)).rejects.toMatchObject({
    code: 'processing_failed',
    message: expect.stringMatching(/^The result exceeded its limit of 50000 bytes\. .*the same job would fail again/),
    retryable: false,
  });
  const output = { ...task.output, path: media.file('no/such/place.mp4') };
  await expect(remuxMp4({ ...task, output }, idlePacer)).rejects.toMatchObject({
    code: 'processing_failed',
    message: 'The result could not be written (ENOENT). Start the job again.',
  });
});

it('a remux reports a full disk with a separate code', async () => {
  const file = await openOutputFile('/dev/full', 'r+');
  try {
    await expect(file.write(Buffer.alloc(9), 0)).rejects.toMatchObject({ code: 'storage_failed', retryable: true });
  } finally {
    await file.close();
  }
});

describe('a remux', () => {
  it.each([
    ['join_streams', 'mkv', ['v.mp4'], 'the fast path does not write mkv files'],
    ['mix_audio_and_video', 'mp4', ['v.mp4', 'a.m4a'], 'some streams must be encoded'],
    ['join_streams', 'mp4', ['v.mp4', 'a.webm'], 'Input 2: it does not begin like an MP4 file'],
    ['convert_format', 'mp4', ['a.mp3'], 'Input 1: it does not begin like an MP4 file'],
    [
      'extract_audio',
      'm4a',
      ['v.mp4'],
      'Input 1 has no audio stream, which extract_audio needs. Use an input with audio, or another operation.',
    ],
    ['convert_format', 'm4a', ['av.mp4'], /cannot be part of an audio file/],
  ] as const)('is left to the engine for %s into %s from %j', async (type, ext, names, reason) => {
    const outcome = await remuxMp4(taskOf(type, ext, names), idlePacer);
    expect(outcome).toEqual({ declined: typeof reason === 'string' ? reason : expect.stringMatching(reason) });
  });

  /** Replaces the name of a box with another of the same length. */
  function renameBox(name: string, from: string, to: string): string {
    const text = readFileSync(media.file(name), 'latin1');
    expect(text).toContain(from);
    writeFileSync(media.file('renamed.mp4'), text.replace(from, to), 'latin1');
    return 'renamed.mp4';
  }

  it.each([
    ['titles', '\xa9too', '\xa9nam', 'it has the box "©nam" among its tags'],
    ['encrypted tracks', 'avc1\0\0\0\0\0\0\0\x01', 'encv\0\0\0\0\0\0\0\x01', 'one of its tracks is "encv"'],
    ['text tracks', 'vide', 'text', 'its h264 track is not video'],
    ['unknown boxes', 'stss', 'xxxx', 'it has the box "xxxx" among its sample tables'],
    ['media in other files', 'url \0\0\0\x01', 'url \0\0\0\0', 'one of its tracks has its media elsewhere'],
    ['QuickTime files', 'isom', 'qt  ', 'it is a QuickTime file'],
  ])('is left to the engine for %s', async (_what, from, to, reason) => {
    const name = renameBox('av.mp4', from, to);
    const outcome = await remuxMp4(taskOf('convert_format', 'mp4', [name]), idlePacer);
    expect(outcome).toEqual({ declined: `Input 1: ${reason}` });
  });
});

describe('an input that is cut short', () => {
  function truncate(name: string, bytes: (all: Buffer) => number): string {
    const all = readFileSync(media.file(name));
    writeFileSync(media.file('cut.mp4'), all.subarray(0, bytes(all)));
    return 'cut.mp4';
  }
  const convert = (name: string, duration?: number) => {
    const task = taskOf('convert_format', 'mp4', []);
    const input = { path: media.file(name), ...(duration === undefined ? {} : { duration }) };
    return remuxMp4({ ...task, inputs: [input] }, idlePacer);
  };

  it.each(['av.mp4', 'moov-last.mp4', 'fragmented.mp4', 'a.m4a', 'dash-v.mp4'])(
    'is refused if it ends inside a box: %s',
    async (name) => {
      const outcome = convert(truncate(name, ({ length }) => Math.floor(length * 0.6)));
      await expect(outcome).rejects.toBeInstanceOf(MillraceError);
      await expect(outcome).rejects.toMatchObject({
        code: 'input_incomplete',
        message: expect.stringMatching(/^Input 1 is cut short: its last/),
        retryable: true,
      });
    },
  );

  const thirdFragment = (all: Buffer) => {
    return [...all.toString('latin1').matchAll(/moof/g)].map(({ index }) => index - 4)[2] ?? 0;
  };

  it('is refused if it ends between fragments, before the end that its index declares', async () => {
    await expect(convert(truncate('dash-a.mp4', thirdFragment))).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(
        /^Input 1 is cut short: its index declares \d+ bytes, but the file has \d+\. Start/,
      ),
    });
  });

  it('is not to be tried again if all bytes of its source have arrived', async () => {
    const path = media.file(truncate('av.mp4', ({ length }) => Math.floor(length * 0.6)));
    const task = { ...taskOf('convert_format', 'mp4', []), inputs: [{ path, hasStatedSize: true as const }] };
    await expect(remuxMp4(task, idlePacer)).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 1 is cut short: its last .* so use another source, or .* no_process/),
      retryable: false,
    });
  });

  it('is refused if it ends between fragments, before the duration that its source declares', async () => {
    const name = truncate('fragmented.mp4', thirdFragment);
    await expect(convert(name)).resolves.toMatchObject({ report: { duration: expect.closeTo(2, 0) } });
    await expect(convert(name, mediaSeconds)).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 1 ends at \d\.\d s of 4\.0 s: its source declared a longer duration/),
    });
  });
});
