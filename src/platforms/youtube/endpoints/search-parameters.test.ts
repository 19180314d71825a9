import { describe, expect, it } from 'vitest';
import { type SearchFilters, searchParams, searchQuery, sortNotes } from './search-parameters.ts';

describe('the filters of a search', () => {
  it.each<[string, Parameters<typeof searchParams>, string]>([
    ['nothing', [undefined, {}], '8AEB'],
    ['the defaults', [undefined, { uploadDate: 'all', duration: 'all', prioritize: 'relevance' }], '8AEB'],
    ['a kind', ['video', {}], 'EgIQAfABAQ%3D%3D'],
    ['popularity', ['video', { prioritize: 'popularity' }], 'CAMSAhAB8AEB'],
    ['everything', ['video', { uploadDate: 'year', duration: 'over_twenty_mins' }], 'EgYIBRABGALwAQE%3D'],
    ['features in any order', [undefined, { features: ['vr180', 'hd'] }], 'EgUgAdABAfABAQ%3D%3D'],
  ])('say %s', (_name, args, expected) => {
    expect(searchParams(...args)).toBe(expected);
  });

  it('take the old order by views for the new one by popularity, and no other', () => {
    const byViews = searchParams(undefined, { sortBy: 'view_count' });
    expect(byViews).toBe(searchParams(undefined, { prioritize: 'popularity' }));
    expect(searchParams(undefined, { sortBy: 'view_count', prioritize: 'relevance' })).toBe('8AEB');
    for (const sortBy of ['relevance', 'rating', 'upload_date'] as const)
      expect(searchParams(undefined, { sortBy })).toBe('8AEB');
  });

  it.each<[SearchFilters, RegExp[]]>([
    [{}, []],
    [{ sortBy: 'view_count' }, [/view_count was taken as prioritize=popularity/]],
    [{ sortBy: 'relevance' }, [/relevance is the order without it/]],
    [{ sortBy: 'rating' }, [/no longer sorts by rating.*relevance\.$/]],
    [{ sortBy: 'upload_date' }, [/no longer sorts by upload_date.*uploadDate narrows/]],
    [{ sortBy: 'rating', prioritize: 'popularity' }, [/prioritize=popularity was used/]],
  ])('tell what became of %j', (parameters, expected) => {
    expect(sortNotes(parameters)).toEqual(expected.map((words) => expect.stringMatching(words)));
  });
});

describe('the text of a search', () => {
  it.each(['cats', 'قطط مضحكة', '🐈‍⬛ 👨‍👩‍👧‍👦', 'a"b\\c <script>', '#shorts', '\u202eevil\u202c'])(
    'is %s as it stands',
    (query) => {
      expect(searchQuery({ query })).toBe(query);
    },
  );

  it('has no half of a character', () => {
    expect(searchQuery({ query: 'a\ud83d' })).toBe('a\ufffd');
  });

  it.each(['x'.repeat(1_001), '🐈'.repeat(251), 'x'.repeat(10_240)])('is refused when it is too long', (query) => {
    expect(() => searchQuery({ query })).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        parameter: 'query',
        message: expect.stringMatching(/1000 bytes/),
      }),
    );
  });
});
