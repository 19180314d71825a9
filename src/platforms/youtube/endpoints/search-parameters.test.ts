import { describe, expect, it } from 'vitest';
import { type SearchFilters, searchParams, searchQuery, sortNotes } from './search-parameters.ts';

describe('search filters', () => {
  it.each<[string, Parameters<typeof searchParams>, string]>([
    ['nothing', [undefined, {}], '8AEB'],
    ['the defaults', [undefined, { uploadDate: 'all', duration: 'all', prioritize: 'relevance' }], '8AEB'],
    ['a kind', ['video', {}], 'EgIQAfABAQ%3D%3D'],
    ['popularity', ['video', { prioritize: 'popularity' }], 'CAMSAhAB8AEB'],
    ['everything', ['video', { uploadDate: 'year', duration: 'over_twenty_mins' }], 'EgYIBRABGALwAQE%3D'],
    ['features in any order', [undefined, { features: ['vr180', 'hd'] }], 'EgUgAdABAfABAQ%3D%3D'],
  ])('encode %s', (_name, args, expected) => {
    expect(searchParams(...args)).toBe(expected);
  });

  it('map the former order by views, and no other order, to popularity', () => {
    const byViews = searchParams(undefined, { sortBy: 'view_count' });
    expect(byViews).toBe(searchParams(undefined, { prioritize: 'popularity' }));
    expect(searchParams(undefined, { sortBy: 'view_count', prioritize: 'relevance' })).toBe('8AEB');
    for (const sortBy of ['relevance', 'rating', 'upload_date'] as const)
      expect(searchParams(undefined, { sortBy })).toBe('8AEB');
  });

  it.each<[SearchFilters, RegExp[]]>([
    [{}, []],
    [{ sortBy: 'view_count' }, [/view_count was treated as prioritize=popularity/]],
    [{ sortBy: 'relevance' }, [/relevance is already the default order/]],
    [{ sortBy: 'rating' }, [/no longer sorts by rating.*relevance\.$/]],
    [{ sortBy: 'upload_date' }, [/no longer sorts by upload_date.*use uploadDate/]],
    [{ sortBy: 'rating', prioritize: 'popularity' }, [/prioritize=popularity was used/]],
  ])('explain the effect of %j', (parameters, expected) => {
    expect(sortNotes(parameters)).toEqual(expected.map((words) => expect.stringMatching(words)));
  });
});

describe('the search text', () => {
  it.each(['cats', 'قطط مضحكة', '🐈‍⬛ 👨‍👩‍👧‍👦', 'a"b\\c <script>', '#shorts', '\u202eevil\u202c'])(
    'is passed on unchanged: %s',
    (query) => {
      expect(searchQuery({ query })).toBe(query);
    },
  );

  it('has no unpaired surrogate', () => {
    expect(searchQuery({ query: 'a\ud83d' })).toBe('a\ufffd');
  });

  it.each(['x'.repeat(1_001), '🐈'.repeat(251), 'x'.repeat(10_240)])('is rejected when it is too long', (query) => {
    expect(() => searchQuery({ query })).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        parameter: 'query',
        message: expect.stringMatching(/1000 bytes/),
      }),
    );
  });
});
