import { parseBuffer } from 'music-metadata';
import { expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** A master playlist with audio in three languages, subtitles in two, and closed captions. */
const playlist = () => labFile('/hls/amber-4/master-languages.m3u8');

const audio = (input: number) => ({
  code: 'stream_left_out',
  message:
    `2 audio renditions of input ${input} were left out, because only one per playlist is fetched: ` +
    'Deutsch (de), Italiano (it).',
  input: input - 1,
});
const subtitles = (input: number) => ({
  code: 'stream_left_out',
  message:
    `2 subtitle renditions of input ${input} were left out, because subtitles of playlists are not fetched: ` +
    'English (en), Deutsch (de).',
  input: input - 1,
});

test.each([
  ['convert_format', 'mp4', [audio(1), subtitles(1)]],
  ['extract_audio', 'm4a', [audio(1), subtitles(1)]],
  ['extract_video', 'mp4', [subtitles(1)]],
] as const)('%s names the languages of a playlist that are missing from its %s', async (operation, ext, notes) => {
  const { url, token } = playlist();
  const { event, file } = await render(service, describeJob(operation, [{ url, ext: 'm3u8' }], ext));
  expect(event.output).toMatchObject({ notes });
  expect((await inspect(file)).tracks).toHaveLength(operation === 'convert_format' ? 2 : 1);
  const paths = (await requestsWithToken(lab, token)).map(({ path }) => path);
  expect(paths.filter((path) => path.includes('subtitles'))).toEqual([]);
});

test('replace_audio_in_video names the unused renditions of each input', async () => {
  const inputs = [playlist(), playlist()].map(({ url }) => ({ url, ext: 'm3u8' }));
  const { event } = await render(service, describeJob('replace_audio_in_video', inputs, 'mp4'));
  expect(event.output).toMatchObject({ notes: [subtitles(1), audio(2), subtitles(2)] });
});

test('a playlist with audio in one language has no notes', async () => {
  const { url } = labFile('/hls/amber-4/master-audio.m3u8');
  const { event } = await render(service, describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4'));
  expect(event.output).toMatchObject({ notes: [] });
});

test('the language of an input chooses the audio of its playlist, and the file states it', async () => {
  const { url, token } = playlist();
  const { event, file } = await render(
    service,
    describeJob('extract_audio', [{ url, ext: 'm3u8', language: 'it' }], 'm4a'),
  );
  const message = expect.stringContaining('only one per playlist is fetched: Tone, Deutsch (de)');
  expect(event.output).toMatchObject({ notes: [{ message }, subtitles(1)] });
  const { trackInfo } = (await parseBuffer(file)).format;
  expect(trackInfo.map(({ language }) => language)).toEqual(['ita']);
  const paths = (await requestsWithToken(lab, token)).map(({ path }) => path);
  expect(paths.filter((path) => /\/(?:en|de)\b/.test(path))).toEqual([]);
});
