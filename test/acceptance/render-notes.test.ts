import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const source = (path: string) => ({ url: labFile(path).url, ext: path.split('.').at(-1) ?? '' });
const film = (name: string) => source(`/media/amber-2/${name}`);

interface Note {
  readonly code: string;
  readonly message: string;
  readonly input?: number;
}

/** Returns the file of a job and its notes. */
async function renderNotes(operation: string, inputs: { url: string; ext: string }[], ext: string) {
  const { event, file } = await render(service, describeJob(operation, inputs, ext));
  const { notes } = event.output as { readonly notes?: readonly Note[] };
  return { file, notes };
}

const operations = [
  ['convert_format', []],
  ['join_streams', ['long']],
] as const;

describe.each(operations)('%s', (operation, tags) => {
  const options = { tags: [...tags] };
  test.each([
    ['text-360.mp4', 'mov_text'],
    ['subrip-360.mkv', 'subrip'],
    ['webvtt-360.mkv', 'webvtt'],
    ['vobsub-360.mkv', 'dvd_subtitle'],
  ])('into ts reports that the subtitles of %s are missing', options, async (name, codec) => {
    const { notes } = await renderNotes(operation, [film(name)], 'ts');
    expect(notes).toEqual([
      {
        code: 'stream_left_out',
        message: `The ${codec} subtitle (input 1, stream 2) was left out: MPEG-TS cannot store it.`,
        input: 0,
      },
    ]);
  });

  // Codec names as stored in the files, and bytes of each cue's text.
  test.each([
    ['vobsub-360.mkv', 'mkv', 'S_VOBSUB', []],
    ['vobsub-360.mkv', 'mp4', 'mp4s', []],
    ['webvtt-360.mkv', 'mkv', 'D_WEBVTT/SUBTITLES', []],
    ['webvtt-360.webm', 'mkv', 'D_WEBVTT/SUBTITLES', []],
    ['webvtt-360.mkv', 'mp4', 'tx3g', ['subtitle_converted']],
    ['webvtt-360.webm', 'mp4', 'tx3g', ['subtitle_converted']],
    ['text-360.mp4', 'mkv', 'S_TEXT/UTF8', ['subtitle_converted']],
    ['text-360.mp4', 'mp4', 'tx3g', []],
  ])('keeps the subtitles of %s in %s (%s)', options, async (name, ext, codec, codes) => {
    const { file, notes } = await renderNotes(operation, [film(name)], ext);
    expect(file.indexOf(codec)).toBeGreaterThan(0);
    if (codec !== 'S_VOBSUB' && codec !== 'mp4s') expect(file.indexOf('Buongiorno')).toBeGreaterThan(0);
    expect(notes?.map(({ code, input }) => [code, input])).toEqual(codes.map((code) => [code, 0]));
  });
});

test('a note names the input of the stream', async () => {
  const { notes } = await renderNotes('join_streams', [film('movie-360.mp4'), film('subrip-360.mkv')], 'ts');
  expect(notes?.filter(({ code }) => code === 'stream_left_out')).toEqual([
    expect.objectContaining({ message: expect.stringContaining('(input 2, stream 2)'), input: 1 }),
  ]);
});

describe('operations that exclude streams', () => {
  test.each([
    ['extract_audio', 'm4a', 'extract_audio keeps only audio and cover images'],
    ['extract_video', 'mp4', 'extract_video keeps only video'],
  ])('%s mentions no excluded streams, and names the subtitles', async (operation, ext, reason) => {
    const { file, notes } = await renderNotes(operation, [film('subrip-360.mkv')], ext);
    expect((await inspect(file)).tracks).toHaveLength(1);
    expect(notes?.map(({ message }) => message)).toEqual([
      `The subrip subtitle (input 1, stream 2) was left out: ${reason}.`,
    ]);
  });

  test.each(['replace_audio_in_video', 'mix_audio_and_video'])(
    '%s keeps the subtitles of the video',
    { tags: ['long'] },
    async (operation) => {
      const inputs = [film('subrip-360.mkv'), film('vobsub-360.mkv')];
      const { file, notes } = await renderNotes(operation, inputs, 'mkv');
      expect(file.indexOf('S_TEXT/UTF8')).toBeGreaterThan(0);
      expect(notes).toEqual([
        {
          code: 'stream_left_out',
          message: `The dvd_subtitle subtitle (input 2, stream 2) was left out: ${operation} takes only audio from input 2.`,
          input: 1,
        },
      ]);
    },
  );
});

/** Returns the duration in seconds of the longest track of an MP4 or QuickTime file, according to its movie header. */
function movieSeconds(file: Buffer): number {
  const header = file.indexOf('mvhd', 0, 'latin1') + 4;
  return file.readUInt32BE(header + 16) / file.readUInt32BE(header + 12);
}

test.each(['mp4', 'mov'])('overlapping subtitles keep their times in %s', { tags: ['long'] }, async (ext) => {
  const { file, notes } = await renderNotes('convert_format', [source('/media/amber-10/rolling-360.mkv')], ext);
  // The last of ten cues begins after nine seconds and is displayed for three.
  expect(movieSeconds(file)).toBeCloseTo(12, 1);
  expect(notes?.map(({ code }) => code)).toEqual(['subtitle_converted']);
});

test('a complete file has no notes', async () => {
  expect((await renderNotes('convert_format', [film('movie-360.mp4')], 'mkv')).notes).toEqual([]);
});

test('an encrypted file fails, and is not copied', async () => {
  const event = await run(service, describeJob('convert_format', [film('drm-360.mp4')], 'mkv'));
  const error =
    'The h264 video of input 1 (stream 0) is encrypted. Millrace does not decrypt media; use a source without DRM.';
  expect(event).toMatchObject({ status: 'failed', output: null, error });
});
