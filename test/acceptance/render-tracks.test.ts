import { describe, expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { tracksOf } from '../support/matroska.ts';
import { contentsOf, inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const convert = (path: string, ext: string) => {
  const input = { url: labFile(path).url, ext: path.split('.').at(-1) ?? '' };
  return render(service, describeJob('convert_format', [input], ext));
};

test.each([
  ['spatial audio', 'spatial.mp4', 'mp4', 'The apple_apac audio'],
  ['spatial audio', 'spatial.mp4', 'mkv', 'The apple_apac audio'],
  ['timed metadata', 'described.mp4', 'mp4', 'The mebx data'],
  ['timed metadata', 'described.mp4', 'mkv', 'The mebx data'],
])('%s beside video and audio is left out with a note: %s into %s', async (_what, name, ext, what) => {
  const { event, file } = await convert(`/unusual/${name}`, ext);
  expect(event.output?.notes).toEqual([
    {
      code: 'stream_left_out',
      input: 0,
      message: expect.stringContaining(`${what} (input 1, stream 2) was left out: `),
    },
  ]);
  const { file: plain } = await convert('/media/amber-12/movie-180.mp4', ext);
  expect((await inspect(file)).tracks).toEqual((await inspect(plain)).tracks);
  expect(await contentsOf(file)).toEqual(await contentsOf(plain));
});

test('spatial audio is left out of an audio file, too', async () => {
  const input = (path: string) => [{ url: labFile(path).url, ext: 'mp4' }];
  const { event, file } = await render(service, describeJob('extract_audio', input('/unusual/spatial.mp4'), 'm4a'));
  expect(event.output?.notes).toMatchObject([{ code: 'stream_left_out', input: 0 }]);
  const plain = await render(service, describeJob('extract_audio', input('/media/amber-12/movie-180.mp4'), 'm4a'));
  expect(await contentsOf(file)).toEqual(await contentsOf(plain.file));
});

describe('the language tag of audio in Matroska', () => {
  test.each([
    ['beside a code', 'languages.mkv', 'mkv'],
    ['without a code', 'language-tag.mkv', 'mkv'],
    ['beside a code', 'languages.mkv', 'mp4'],
    ['without a code', 'language-tag.mkv', 'mp4'],
  ])('%s is kept, beside a code: %s into %s', async (_what, name, ext) => {
    const { file } = await convert(`/unusual/${name}`, ext);
    if (ext === 'mkv') {
      expect(tracksOf(file)).toContainEqual(
        expect.objectContaining({ kind: 'audio', language: 'por', languageTag: 'pt-BR' }),
      );
    } else {
      // The code is packed into two bytes, which begin from `a` - 1 (ISO/IEC 14496-12 §8.4.2 and §8.4.6).
      const packed = [...'por'].reduce((sum, letter) => 32 * sum + letter.charCodeAt(0) - 0x60, 0);
      const codes = [...file.toString('latin1').matchAll(/mdhd/g)].map(({ index }) => file.readUInt16BE(index + 24));
      expect(codes).toContain(packed);
      expect(file.includes('elng\0\0\0\0pt-BR\0', 0, 'latin1')).toBe(true);
    }
  });
});
