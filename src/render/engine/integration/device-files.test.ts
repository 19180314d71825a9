import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { childBoxes } from '../mp4/box-reader.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { addDataTrack, changeMp4, changeSampleEntry, emptyTrack, type Mp4Change } from '../testing/change-mp4.ts';
import { thirdPartyPath } from '../testing/corpus/third-party-files.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
/**
 * Files as written by phones, cameras and programs, with features that the media library's own muxers do not produce.
 */
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'av.mp4', 'fragmented.mp4', 'mp2.ts', 'timecode.mov');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Makes a file by changing the index of `gop.mp4`. Its video is track 0, its audio track 1. */
function change(name: string, ...changes: readonly Mp4Change[]): string {
  writeFileSync(media.file(name), changeMp4(readFileSync(media.file('gop.mp4')), ...changes));
  return name;
}

/** Copies a file into a container, and verifies the result. */
async function copy(
  name: string,
  ext: OutputContainer,
  type: 'convert_format' | 'extract_audio' = 'convert_format',
  copyStreams = true,
) {
  const { report } = await processAndVerify(engine, media, { inputs: [name], ext, type, copyStreams });
  return report;
}

const kinds = ({ streams }: ProcessReport) => streams.map(({ kind, codec }) => `${kind} ${codec}`);
const notes = (report: ProcessReport) => report.notes.map(({ message }) => message);

describe('a track without samples', () => {
  it.each(['mp4', 'mkv'] as const)('is left out of %s, with a note', async (ext) => {
    const report = await copy(change('empty.mp4', emptyTrack(1)), ext);
    expect(kinds(report)).toEqual(['video h264']);
    expect(report.notes).toEqual([
      {
        code: 'stream_left_out',
        message: 'The aac audio (input 1, stream 1) was left out: no frame of it was found when the file was opened.',
        input: 0,
      },
    ]);
  });

  it('is also left out if the header does not describe it', async () => {
    const report = await copy(change('extra.mp4', addDataTrack('soun', 'mp4a', 0)), 'mp4');
    expect(kinds(report)).toEqual(['video h264', 'audio aac']);
    expect(notes(report)).toEqual([expect.stringMatching(/stream 2\) was left out: no frame of it/)]);
  });

  it('causes a clear error if the operation needs it', async () => {
    await expect(copy(change('empty.mp4', emptyTrack(1)), 'm4a', 'extract_audio')).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringContaining('Input 1 has no audio stream, which extract_audio needs.'),
    });
  });

  it('is not mistaken for a track of a fragmented file', async () => {
    expect(kinds(await copy('fragmented.mp4', 'mkv'))).toEqual(['video h264', 'audio aac']);
  });
});

describe('data recorded by phones and cameras', () => {
  const cases = [
    ['mebx', 'mp4'],
    ['mebx', 'mov'],
    ['gpmd', 'mp4'],
    ['camm', 'mkv'],
    ['rtmd', 'ts'],
  ] as const;

  it.each(cases)('is copied or left out with a note: %s into %s', async (entry, ext) => {
    const report = await copy(change('data.mp4', addDataTrack('meta', entry)), ext);
    expect(kinds(report)).toEqual(['video h264', 'audio aac']);
    const { streams } = await describeMedia(media.file(`result.${ext}`));
    if (streams.length === 2) expect(notes(report)).toEqual([expect.stringContaining(`The ${entry} data`)]);
    else expect([streams[2]?.codec, report.notes]).toEqual([entry, []]);
  });

  it('is copied if it is a timecode that the container can hold', async () => {
    expect((await copy('timecode.mov', 'mov')).notes).toEqual([]);
    const { streams } = await describeMedia(media.file('result.mov'));
    expect(streams.map(({ codec }) => codec)).toEqual(['h264', 'aac', 'tmcd']);
  });

  it('is left out if the muxer refuses it only while writing', async () => {
    const report = await copy(change('timecode.mp4', addDataTrack('tmcd', 'tmcd')), 'mov');
    expect(kinds(report)).toEqual(['video h264', 'audio aac']);
    expect(notes(report)).toEqual([
      'The tmcd data (input 1, stream 2) was left out: QuickTime cannot store it unchanged.',
    ]);
  });
});

describe('a file whose media declares too many bytes', () => {
  const claiming = (name: string, cut: number) => {
    const file = readFileSync(media.file('av.mp4'));
    const at = file.lastIndexOf(Buffer.from('mdat')) - 4;
    file.writeUInt32BE(file.readUInt32BE(at) + 8, at);
    writeFileSync(media.file(name), file.subarray(0, file.length - cut));
    return name;
  };

  it.each(['mp4', 'mkv'] as const)('is complete when all its samples are present: into %s', async (ext) => {
    expect(kinds(await copy(claiming('claims.mp4', 0), ext))).toEqual(['video h264', 'audio aac']);
  });

  it.each(['mp4', 'mkv'] as const)('is complete with all samples of its last fragment: into %s', async (ext) => {
    const file = readFileSync(media.file('fragmented.mp4'));
    const end = file.lastIndexOf(Buffer.from('mfra')) - 4;
    const whole = Buffer.from(file.subarray(0, end > 0 ? end : file.length));
    writeFileSync(media.file('whole.mp4'), whole);
    const at = whole.lastIndexOf(Buffer.from('mdat')) - 4;
    whole.writeUInt32BE(whole.readUInt32BE(at) + 8, at);
    writeFileSync(media.file('claims.mp4'), whole);
    await copy('whole.mp4', ext);
    const expected = await readPackets(media.file(`result.${ext}`));
    await copy('claims.mp4', ext);
    const tracks = await readPackets(media.file(`result.${ext}`));
    expect(tracks.map(({ packets }) => packets.length)).toEqual(expected.map(({ packets }) => packets.length));
  });

  it('is considered truncated when its last sample is incomplete', async () => {
    await expect(copy(claiming('claims.mp4', 8), 'mp4')).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 1 is cut short: its last part \(mdat\) needs \d+ bytes/),
      input: 0,
    });
  });
});

describe('MPEG-TS with only a few packets, which looks like an MPEG program stream', () => {
  it('is read, and is written so that players recognise it', async () => {
    // Two AAC frames, as in the last part of a playlist: eight packets, followed by null packets.
    copyFileSync(thirdPartyPath('can-autoplay.mp4'), media.file('two-frames.mp4'));
    await copy('two-frames.mp4', 'ts');
    const written = readFileSync(media.file('result.ts'));
    expect(written.length).toBeGreaterThanOrEqual(12 * 188);
    writeFileSync(media.file('short.ts'), written.subarray(0, written.indexOf(Buffer.from('471fff10', 'hex'))));
    expect(kinds(await copy('short.ts', 'mp4'))).toEqual(['audio aac']);
  });
});

describe('copies of codecs that containers identify incorrectly', () => {
  it.each(['mp4', 'mkv', 'ts'] as const)('keep MPEG audio layer II unchanged in %s', async (ext) => {
    expect(kinds(await copy('mp2.ts', ext))).toEqual(['audio mp2']);
  });

  it('store MPEG audio layer II in MP4 with the object type of MPEG-1 audio', async () => {
    await copy('mp2.ts', 'mp4');
    const entry = readFileSync(media.file('result.mp4'));
    // The decoder description begins with its tag and its four-byte length (ISO/IEC 14496-1 §7.2.6.6).
    const config = entry.indexOf(Buffer.from([0x04, 0x80, 0x80, 0x80]), entry.indexOf('esds'));
    expect(entry[config + 5]).toBe(0x6b);
  });

  it.each(['mp4', 'mkv'] as const)('keep MPEG audio layer II of MP4 whose index is at the end in %s', async (ext) => {
    await copy('mp2.ts', 'mp4');
    const boxes = childBoxes(readFileSync(media.file('result.mp4')));
    const index = boxes.find(({ type }) => type === 'moov')?.bytes ?? Buffer.alloc(0);
    // A box of the same size keeps the media in its place.
    const hidden = Buffer.from(index);
    hidden.write('free', 4, 'latin1');
    const others = boxes.map(({ type, bytes }) => (type === 'moov' ? hidden : bytes));
    writeFileSync(media.file('index-last.mp4'), Buffer.concat([...others, index]));
    expect(kinds(await copy('index-last.mp4', ext))).toEqual(['audio mp2']);
  });

  it('do not turn MPEG audio layer II into MP3', async () => {
    await expect(copy('mp2.ts', 'mp3')).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringContaining('the mp2 audio (input 1, stream 0) cannot be copied'),
    });
  });
});

describe('a track of an unknown codec', () => {
  /** Changes the four-character code of the audio, and hides what tells that it is AAC. */
  const retypeAudio = (code: string) => {
    const file = changeMp4(readFileSync(media.file('gop.mp4')), changeSampleEntry(1, code));
    file.write('free', file.lastIndexOf(Buffer.from('esds')), 'latin1');
    writeFileSync(media.file('retyped.mp4'), file);
    return 'retyped.mp4';
  };
  const second: readonly [handler: string, entry: string, ext: OutputContainer, copyStreams: boolean][] = [
    ['soun', 'apac', 'mp4', true],
    ['soun', 'apac', 'mkv', true],
    ['soun', 'apac', 'ts', false],
    ['soun', 'xxxx', 'mp4', false],
    ['vide', 'xxxx', 'mp4', true],
  ];

  it.each(second)(
    'is left out with a note: a second %s track %s in %s (copied: %s)',
    async (handler, entry, ext, copied) => {
      const report = await copy(change('second.mp4', addDataTrack(handler, entry)), ext, 'convert_format', copied);
      expect(kinds(report)).toEqual(['video h264', 'audio aac']);
      const kind = handler === 'soun' ? 'audio' : 'video';
      expect(notes(report)).toEqual([
        expect.stringMatching(new RegExp(`^The .*${kind}.*input 1, stream 2\\) was left out: `)),
      ]);
    },
  );

  it('is named in the refusal if it is the only one', async () => {
    await expect(copy(retypeAudio('xxxx'), 'mkv')).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringMatching(/the audio of unknown codec xxxx \(input 1, stream 1\) cannot be copied/),
    });
  });

  it('is refused if it is IAMF, whose parts FFmpeg delivers as streams', async () => {
    await expect(copy(retypeAudio('iamf'), 'mkv')).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringContaining('the iamf audio (input 1, stream 1) cannot be copied into it.'),
    });
  });

  it.each([true, false])('is refused if it is AC-4, which ends its decoder (copied: %s)', async (copied) => {
    await expect(copy(retypeAudio('ac-4'), 'ts', 'convert_format', copied)).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringContaining('Use an input without the ac4 audio (input 1, stream 1)'),
    });
  });
});
