import { expect, test } from 'vitest';
import type { ExtractedContent, ExtractionResponse } from '#client/index.ts';
import { audioLanguagesOf, subtitleLanguagesOf, transcriptLanguagesOf } from './item-languages.ts';

const audio = (language: unknown, isDefault = false) => ({
  label: 'AAC',
  url: 'https://cdn.example/a',
  repId: 'a',
  metadata: { mime_type: 'audio/mp4', width: 0, height: 0, has_audio: true, language, is_default: isDefault },
});
const resultWith = (metadata: object, contents: readonly object[] = []) =>
  ({ metadata, contents }) as unknown as ExtractionResponse;

test('audio languages are listed once, and the default is marked', () => {
  const content: ExtractedContent = {
    audios: [audio('en', true), audio('de'), audio('en'), audio(7), audio(undefined)],
  };
  expect(audioLanguagesOf(content)).toEqual([
    { tag: 'en', isDefault: true },
    { tag: 'de', isDefault: false },
  ]);
  expect(audioLanguagesOf({})).toEqual([]);
});

test.each([
  [
    'captions',
    [
      { language: 'en', kind: 'auto' },
      { language: 'en', kind: 'manual' },
      { language: 'de', kind: 'auto' },
    ],
  ],
  ['subtitles', [{ language: 'en' }, { language: 'de-auto' }, { language: 'en-auto' }, null, { language: 5 }]],
])('subtitles are found among the %s of a platform', (name, list) => {
  expect(subtitleLanguagesOf(resultWith({ additionalData: { [name]: list } }))).toEqual([
    { tag: 'en', isAutomatic: false },
    { tag: 'de', isAutomatic: true },
  ]);
});

test('subtitles are found in the metadata of a video', () => {
  const video = { ...audio('en'), metadata: { captions: [{ language: 'pt_BR', url: 'https://cdn.example/c' }] } };
  expect(subtitleLanguagesOf(resultWith({}, [{ videos: [video] }]))).toEqual([{ tag: 'pt-BR', isAutomatic: false }]);
});

test('transcripts are listed by their languages', () => {
  expect(transcriptLanguagesOf(resultWith({ transcript: { languages: ['en', 'de'] } }))).toEqual(['en', 'de']);
  expect(transcriptLanguagesOf(resultWith({ additionalData: 'none' }))).toEqual([]);
});
