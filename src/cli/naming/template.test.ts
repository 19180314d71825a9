import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors/command-errors.ts';
import { type FieldValues, parseTemplate } from './template.ts';

const values: FieldValues = {
  title: 'A/B: the "film"',
  id: 'lab-plain30',
  author: 'The Lab',
  date: '2026-11-26',
  index: '7',
  quality: '720p60',
  height: '720',
  ext: 'mp4',
  platform: 'YouTube',
};

describe('a template', () => {
  test.each([
    ['{title}.{ext}', 'A_B_ the _film_.mp4'],
    ['%(title)s.%(ext)s', 'A_B_ the _film_.mp4'],
    ['{author}/{index:03} {id}.{ext}', 'The Lab/007 lab-plain30.mp4'],
    ['%(uploader)s/%(playlist_index)03d - %(id)s.%(ext)s', 'The Lab/007 - lab-plain30.mp4'],
    ['%(title).3s [%(height)sp].%(ext)s', 'A_B [720p].mp4'],
    ['{collection}/{platform} {date} {quality}.{ext}', 'NA/YouTube 2026-11-26 720p60.mp4'],
    ['%(playlist|Videos)s/%(id)s.mkv', 'Videos/lab-plain30.mkv'],
    ['{title}', 'A_B_ the _film_.mp4'],
    ['videos/{id}/', 'videos/lab-plain30/A_B_ the _film_.mp4'],
    ['../{{{id}}} 100%%.{ext}', '../{lab-plain30} 100%.mp4'],
  ])('%s becomes a path', (text, path) => {
    expect(parseTemplate(text)?.pathOf(values)).toBe(path);
  });

  test.each(['film.mp4', 'images/', '100%.mp4', '-', 'a{b', '{{'])('is not the path %s', (text) => {
    expect(parseTemplate(text)).toBeUndefined();
  });

  test.each([
    ['{titel}.mp4', /no field "titel". Use \{title\}, \{id\}/],
    ['%(vcodec)s.mp4', /no field "vcodec"/],
    ['%(title)q.mp4', /cannot be read/],
    ['%(title', /cannot be read/],
  ])('with an unknown field is refused: %s', (text, message) => {
    expect(() => parseTemplate(text)).toThrow(UsageError);
    expect(() => parseTemplate(text)).toThrow(message);
  });

  test('knows its fields and its extension', () => {
    const template = parseTemplate('{index} {title}.MP3');
    expect([template?.extension, template?.has('index'), template?.has('id')]).toEqual(['mp3', true, false]);
    expect(parseTemplate('{title}.{ext}')?.extension).toBeUndefined();
  });

  test('never leaves its folder, and makes names of at most 220 bytes with their extension', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom('..', '../..', 'CON', '', '.'),
    );
    const template = parseTemplate('music/{author}/{title} {id}.{ext}');
    fc.assert(
      fc.property(text, text, text, (title, author, id) => {
        const folders = template?.pathOf({ title, author, id, ext: 'mp4' }).split('/') ?? [];
        expect(folders).toHaveLength(3);
        expect(folders[0]).toBe('music');
        expect(['', '.', '..']).not.toContain(folders[1]);
        expect(folders[2]).toMatch(/\.mp4$/);
        for (const name of folders) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(220);
      }),
      { seed: 25, numRuns: 300 },
    );
  });
});
