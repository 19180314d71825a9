import { expect, test } from 'vitest';
import type { JournalRecord } from '../journal.ts';
import { createLinkUses } from './link-uses.ts';

test('records the client profiles of each input, and how often its link was replaced', () => {
  const uses = createLinkUses(2);
  uses.bytesArrived(0, 'A');
  uses.bytesArrived(0, 'A');
  uses.linkReplaced(0);
  uses.bytesArrived(0, 'B');
  uses.bytesArrived(1, 'B');
  expect(uses.inputs).toEqual([
    { profiles: ['A', 'B'], replacedLinks: 1 },
    { profiles: ['B'], replacedLinks: 0 },
  ]);
});

test('continues the record of an earlier run', () => {
  const records: JournalRecord[] = [];
  const journal = { records, append: (record: JournalRecord) => void records.push(record) };
  const first = createLinkUses(1, journal);
  first.bytesArrived(0, 'A');
  first.linkReplaced(0);
  const second = createLinkUses(1, { ...journal, records: [...records] });
  second.bytesArrived(0, 'B');
  const expected = [{ profiles: ['A', 'B'], replacedLinks: 1 }];
  expect(second.inputs).toEqual(expected);
  expect(createLinkUses(1, journal).inputs).toEqual(expected);
});

test('ignores records that no run has written', () => {
  const records: JournalRecord[] = [
    ['profile', 0],
    ['profile', 0, 1],
    ['profile', 0, 'a\u0000b'],
    ['profile', 0, 'a'.repeat(201)],
    ['profile', 7, 'A'],
    ['profile', -1, 'A'],
    ['profile', '0', 'A'],
    ['replaced', 3],
    ['other', 0],
    ...Array.from({ length: 50 }, (_, index): JournalRecord => ['profile', 0, `client ${index}`]),
  ];
  const { inputs } = createLinkUses(1, { records, append: () => undefined });
  expect(inputs).toEqual([{ profiles: Array.from({ length: 20 }, (_, index) => `client ${index}`), replacedLinks: 0 }]);
});
