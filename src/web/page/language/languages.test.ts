import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { english } from './english.ts';
import { languages, languageTag, messages, preferredLanguage, selectLanguage } from './language.ts';

/** Words that are the same in English and in another language. */
const sharedWords = new Set(
  [
    'millrace youtube instagram api https id qr zip mp3 m4a opus flac wav subrip webvtt srt vtt txt hd sd kbit s fps',
    'album artist audio cover date description details downloads film follower followers format genre hashtag image',
    'link links live message mix online options original photo photos playlist playlists reel reels short shorts',
    'codec no soundtrack status streams tags text video videos pixels',
  ].flatMap((line) => line.split(' ')),
);

/** Counts that select all plural categories of the languages, each followed by other values. Texts accept numerals. */
const argumentLists = [
  ['1', '12', '13'],
  ['11', '12', '13'],
  ['1000000', '12', '13'],
];

type NamedText = readonly [name: string, text: string, values: readonly string[]];

/** Returns the texts of a table with their names. Functions are called with each of the argument lists. */
function textsOf(table: object, name = ''): readonly NamedText[] {
  return Object.entries(table).flatMap(([member, value]) => {
    const path = `${name}.${member}`;
    if (typeof value === 'string') return [[path, value, []] as const];
    if (typeof value !== 'function') return textsOf(value, path);
    return argumentLists.map((values) => [`${path}(${values[0]})`, String(value(...values)), values] as const);
  });
}

/** Removes the separators in numbers. */
function plain(text: string): string {
  return text.replaceAll(/(?<=\d)[\s.,](?=\d)/g, '');
}

const englishTexts = new Map(textsOf(english).map(([name, text]) => [name, text]));
const translations = Object.entries(languages).filter(([tag]) => tag !== 'en');

describe.each(translations)('the texts in the language %s', (_tag, { load }) => {
  let texts: readonly NamedText[];
  beforeAll(async () => {
    texts = textsOf(await load());
  });

  test('are those that there are in English, and none is empty', () => {
    expect(texts.map(([name]) => name).toSorted()).toEqual([...englishTexts.keys()].toSorted());
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('contain the values that the English ones contain', () => {
    const incomplete = texts.filter(([name, text, values]) =>
      values.some((value) => plain(englishTexts.get(name) ?? '').includes(value) && !plain(text).includes(value)),
    );
    expect(incomplete).toEqual([]);
  });

  test('differ from the English ones', () => {
    const words = (text: string) => text.toLowerCase().match(/\p{L}[\p{L}\d]*/gu) ?? [];
    const untranslated = texts.filter(
      ([name, text]) => text === englishTexts.get(name) && words(text).some((word) => !sharedWords.has(word)),
    );
    expect(untranslated).toEqual([]);
  });
});

test('French has narrow spaces that do not break at its punctuation', async () => {
  expect(textsOf(await languages.fr.load()).filter(([, text]) => / [:;!?»]|« /.test(text))).toEqual([]);
});

test('the page uses the first language of the browser that it has, or else English', () => {
  expect(preferredLanguage(['de-AT'])).toBe('de');
  expect(preferredLanguage(['pt'])).toBe('pt-BR');
  expect(preferredLanguage(['pt-PT', 'es'])).toBe('pt-BR');
  expect(preferredLanguage(['zh-CN', 'JA'])).toBe('ja');
  expect(preferredLanguage(['zh'])).toBe('en');
  expect(preferredLanguage([])).toBe('en');
});

describe('a language that is selected', () => {
  const load = vi.spyOn(languages.fr, 'load');
  beforeAll(() => {
    vi.stubGlobal('document', { documentElement: { lang: 'en' } });
    vi.stubGlobal('localStorage', { setItem: () => undefined });
  });
  afterAll(() => vi.unstubAllGlobals());

  test('is not shown if it cannot be loaded', async () => {
    await selectLanguage('de');
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
    await selectLanguage('fr');
    expect(languageTag()).toBe('de');
    expect(document.documentElement.lang).toBe('de');
    expect(messages().query.paste).toBe('Einfügen');
  });

  test('replaces one that is still loading', async () => {
    const slow = Promise.withResolvers<Awaited<ReturnType<typeof load>>>();
    load.mockReturnValueOnce(slow.promise);
    const french = selectLanguage('fr');
    await selectLanguage('en');
    slow.resolve(await languages.fr.load());
    await french;
    expect(languageTag()).toBe('en');
  });
});
