import { expect, test } from 'vitest';
import { hasMoreThanCode, languageCode, languageForMuxer, packLanguage } from './language-code.ts';

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

test('keeps tags where the muxer writes them', () => {
  expect(languageForMuxer('pt-BR', 'matroska')).toBe('pt-BR');
  expect(languageForMuxer('pt', 'webm')).toBe('por');
  expect(languageForMuxer('pt-BR', 'mp4')).toBe('por');
});
