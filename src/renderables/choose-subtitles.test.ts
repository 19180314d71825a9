import { describe, expect, it } from 'vitest';
import type { SourceCaptions } from '../contract/source-media.ts';
import { chooseSubtitles } from './choose-subtitles.ts';

const captions = (language: string, others: Partial<SourceCaptions> = {}): SourceCaptions => ({
  url: `https://site.example/${language}`,
  format: 'vtt',
  language,
  automatic: false,
  ...others,
});
const automatic = { automatic: true };
const choose = (all: SourceCaptions[], ...languages: string[]) => {
  const { subtitles, notes } = chooseSubtitles(all, languages);
  return { titles: subtitles.map(({ language, title }) => `${language}: ${title}`), notes };
};

describe('embedded subtitles', () => {
  it('are those by people, and automatic ones only if there are no others', () => {
    const both = [captions('en', automatic), captions('en'), captions('de')];
    expect(choose(both)).toEqual({ titles: ['en: English', 'de: German'], notes: [] });
    expect(choose([captions('en', automatic)])).toEqual({ titles: ['en: English (auto-generated)'], notes: [] });
  });

  it('are in the requested languages, in their order', () => {
    const all = [captions('en-US'), captions('de', { title: 'Deutsch' }), captions('fr', automatic)];
    expect(choose(all, 'fr', 'en')).toEqual({
      titles: ['fr: French (auto-generated)', 'en-US: American English'],
      notes: [],
    });
    expect(choose(all, 'de', 'ja')).toEqual({
      titles: ['de: Deutsch'],
      notes: ['Subtitles in ja are not available; available: en-US, de, fr (auto-generated).'],
    });
  });

  it('have a note if captions are missing, too many, or only for the platform’s own player', () => {
    expect(choose([])).toEqual({ titles: [], notes: ['No subtitles are embedded: the content has none.'] });
    expect(choose([captions('de', { playerOnly: true })]).notes).toEqual([
      'Subtitles in de are not embedded: the platform serves them only to its own player.',
    ]);
    const many = Array.from({ length: 40 }, (_, at) => captions(`de-${100 + at}`));
    expect(choose(many)).toMatchObject({ titles: { length: 32 }, notes: [expect.stringMatching(/^8 more/)] });
  });
});
