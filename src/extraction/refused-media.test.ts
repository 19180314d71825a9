import { expect, test } from 'vitest';
import { noSubjects } from '../contract/subjects.ts';
import type { FrequentRefusals } from '../media-health/media-health.ts';
import type { SourceContent } from '../platforms/platform.ts';
import { refusedMediaNote } from './refused-media.ts';

const since = Date.UTC(2026, 10, 26, 14, 5);
const noteOf = (
  refusals: FrequentRefusals | undefined,
  contents: readonly SourceContent[] = [{ subjects: noSubjects }],
) => refusedMediaNote({ refusalsOf: () => refusals }, 'p1', { contents, metadata: {}, exit: 'fr-1' });

test.each([
  [{ kind: 'refused', rate: 0.6, since }, 'Media links of p1 were refused for 60 % of fetches since 14:05 UTC.'],
  [
    { kind: 'refused', rate: 1, since, country: 'FR' },
    'Media links of p1 from this country were refused for 100 % of fetches since 14:05 UTC.',
  ],
  [
    { kind: 'cut', rate: 0.5, since, country: 'FR' },
    'Media links of p1 from this country were refused partway for 50 % of fetches since 14:05 UTC.',
  ],
] as const)('the note for %o states how much is refused and since when', (refusals, note) => {
  expect([noteOf(refusals), noteOf(refusals)]).toEqual([note, note]);
});

test('there is no note if media arrives, or the result has no media', () => {
  expect(noteOf(undefined)).toBeUndefined();
  expect(noteOf({ kind: 'refused', rate: 1, since }, [])).toBeUndefined();
});
