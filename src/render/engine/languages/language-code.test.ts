import { expect, test } from 'vitest';
import { hasMoreThanCode, languageCode, packLanguage, parseLanguageTag } from './language-code.ts';
import { languageForMuxer, matroskaLanguage, matroskaPlaceholderElement } from './written-language.ts';

test.each([
  ['de', 'deu'],
  ['pt-BR', 'por'],
  ['ZH-Hans', 'zho'],
  ['gsw', 'gsw'],
  ['iw', 'heb'],
  ['qx', 'und'],
  ['abcde', 'und'],
])('finds the ISO 639-2 code of %s', (tag, code) => {
  expect(languageCode(tag)).toBe(code);
});

test('has a code for each language that the platform of this test knows', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const known = letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .filter((code) => {
      return languageCode(code) !== 'und';
    });
  expect(known.length).toBeGreaterThan(180);
  for (const code of known) {
    expect(new Intl.Locale(languageCode(code)).language).toBe(new Intl.Locale(code).language);
  }
});

test('knows which tags say more than their code', () => {
  expect(['de', 'gsw', 'pt-BR', 'qx'].map(hasMoreThanCode)).toEqual([false, false, true, true]);
});

test('packs a code into fifteen bits', () => {
  expect(packLanguage('und')).toBe(0x55c4);
});

test('recognises language tags', () => {
  expect(
    ['pt-BR', 'zh-Hans-TW', 'de', '', 'pt_BR', 'a'.repeat(9), `de${'-x'.repeat(17)}`].map(parseLanguageTag),
  ).toEqual(['pt-BR', 'zh-Hans-TW', 'de', undefined, undefined, undefined, undefined]);
});

test('writes tags where the muxer and players accept them', () => {
  expect(languageForMuxer('pt-BR', 'webm')).toBe('pt-BR');
  expect(languageForMuxer('pt', 'matroska')).toBe('por');
  expect(languageForMuxer('pt-BR', 'mp4')).toBe('por');
  expect(languageForMuxer('pt br', 'matroska')).toBe('und');
});

test('reserves the space for a tag and its code in Matroska', () => {
  const language = languageForMuxer('pt-BR', 'matroska');
  expect(matroskaPlaceholderElement('pt-BR').toString('latin1')).toBe(`\x22\xb5\x9c\x8c${language}`);
  expect(matroskaLanguage('pt-BR').toString('latin1')).toBe('\x22\xb5\x9c\x83por\x22\xb5\x9d\x85pt-BR');
  expect(matroskaLanguage('pt-BR').length).toBe(matroskaPlaceholderElement('pt-BR').length);
});
