import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import { type Drift, drifts } from './testing/drift.ts';
import { extractCase, type ListCase, type ListOutcome, recordedListCases } from './testing/list-cases.ts';
import { madeListCases } from './testing/made-list-cases.ts';
import { recordings } from './testing/recordings.ts';

/** Returns what was lost without a sign, or undefined. */
function silentLoss(before: ListOutcome, after: ListOutcome | undefined): string | undefined {
  if (after === undefined || after.unread > 0) return undefined;
  const missing = before.entries.length - after.entries.length;
  if (after.entries.length === 0 && before.entries.length > 0) return 'all entries';
  if (missing > 0) return `${missing} of ${before.entries.length} entries`;
  return after.tokens < before.tokens ? 'the next page' : undefined;
}

/**
 * Returns whether the site sends the same response without a list: a video without suggested ones, the page after the
 * last one of a search, a mix that does not exist.
 */
function isNormalWithoutList({ path, parameters, cursor }: ListCase): boolean {
  return path === '/video/details' || (path === '/search' && cursor !== undefined) || parameters.playlistId === 'RDMM';
}

/** Returns the losses of some cases, drawn with a seed, in a format that a drift changes. */
async function silentLosses(cases: readonly ListCase[], [name, drift]: [string, Drift], runs: number) {
  const random = seededRandom(name.length);
  const losses: string[] = [];
  for (let run = 0; run < propertyRuns(runs); run += 1) {
    const one = cases[Math.floor(random() * cases.length)];
    if (one === undefined) break;
    if (name.startsWith('drops a list') && isNormalWithoutList(one)) continue;
    const label = `${one.path} ${one.name}`;
    const after = await resultUnlessUnread(extractCase(one, drift(one.text, random)), label);
    const loss = silentLoss(await extractCase(one, one.text), after);
    if (loss !== undefined) losses.push(`${label}: ${loss}`);
  }
  return losses;
}

describe('made-up lists', () => {
  it.each(madeListCases.map((one) => [one.name, one] as const))('are read: %s', async (_name, one) => {
    const { entries, unread } = await extractCase(one, one.text);
    expect([entries.length > 0, unread]).toEqual([true, 0]);
  });

  it.each(Object.entries(drifts))('never lose entries silently when the site %s', async (...drift) => {
    expect(await silentLosses(madeListCases, drift, 60)).toEqual([]);
  });
});

describe.skipIf(recordings().length === 0)('recorded lists', () => {
  const cases = recordedListCases();

  it('contain no unread entry', async () => {
    for (const one of cases) expect((await extractCase(one, one.text)).unread, `${one.name} ${one.path}`).toBe(0);
  });

  it.each(Object.entries(drifts))('never lose entries silently when the site %s', async (...drift) => {
    expect(await silentLosses(cases, drift, 12)).toEqual([]);
  });
});
