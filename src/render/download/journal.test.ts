import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostileKinds, makeHostileFolder, untouchedContent } from '../../files/testing/hostile-files.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { type JournalRecord, openJournal } from './journal.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-journal-'));
  path = join(directory, 'journal');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Writes a journal, and returns the records that the next process reads. */
async function writeRecords(records: readonly JournalRecord[], subject: unknown = 'a') {
  const journal = await openJournal(path, subject);
  for (const record of records) journal.append(record);
  await journal.close();
}
async function readRecords(subject: unknown = 'a') {
  const journal = await openJournal(path, subject);
  await journal.close();
  return journal.records;
}

const record = fc.tuple(fc.string(), fc.nat(), fc.string({ unit: 'grapheme' }));

test('returns the appended records to the next process', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(record, { maxLength: 5 }), { maxLength: 4 }), async (processes) => {
      await rm(path, { force: true });
      for (const [index, records] of processes.entries()) {
        expect(await readRecords()).toEqual(processes.slice(0, index).flat());
        await writeRecords(records);
      }
      expect(await readRecords()).toEqual(processes.flat());
    }),
    { seed: 4, numRuns: propertyRuns(30) },
  );
});

test('reads a damaged journal up to the damage, and continues writing there', async () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    byte: fc.nat(255),
    isTruncated: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 6 }),
      damage,
      async (records, { at, byte, isTruncated }) => {
        await rm(path, { force: true });
        await writeRecords(records);
        const bytes = await readFile(path);
        const place = Math.floor(at * bytes.length);
        await writeFile(
          path,
          isTruncated ? bytes.subarray(0, place) : bytes.fill(bytes.readUInt8(place) ^ (byte || 1), place, place + 1),
        );
        const trustedRecords = await readRecords();
        expect(trustedRecords).toEqual(records.slice(0, trustedRecords.length));
        expect(trustedRecords.length).toBeLessThan(records.length);
        await writeRecords([['more']]);
        expect(await readRecords()).toEqual([...trustedRecords, ['more']]);
      },
    ),
    { seed: 5, numRuns: propertyRuns(60) },
  );
});

test('ignores records that were cleared or belong to another subject', async () => {
  await writeRecords([['one', 1]]);
  expect(await readRecords('b')).toEqual([]);
  expect(await readRecords('a')).toEqual([]);
  await writeRecords([['one', 1]]);
  const journal = await openJournal(path, 'a');
  expect(journal.records).toEqual([['one', 1]]);
  await journal.clear();
  journal.append(['two', 2]);
  await journal.close();
  expect(await readRecords()).toEqual([['two', 2]]);
});

test('stops growing at its size limit, and reports write errors', async () => {
  const journal = await openJournal(path, 'a');
  for (let part = 0; part < 12; part += 1) journal.append(['part', 'x'.repeat(1024 * 1024)]);
  await journal.close();
  expect(await readRecords()).toHaveLength(8);
  const closed = await openJournal(path, 'b');
  await closed.close();
  closed.append(['late']);
  await expect(closed.clear()).rejects.toMatchObject({ code: 'EBADF' });
});

describe.each(hostileKinds)('a %s in place of a journal', (trap) => {
  test('is neither read nor written', async () => {
    const ground = await makeHostileFolder();
    try {
      path = join(ground.folder, 'journal');
      await ground.place(trap, path);
      await expect(writeRecords([['one', 1]])).rejects.toThrow();
      expect(await ground.readVictim()).toBe(untouchedContent);
    } finally {
      await ground.delete();
    }
  });
});

describe('a journal that was tampered with', () => {
  /** Returns a record as the journal writes it. */
  const line = (text: string) => `${crc32(Buffer.from(text)).toString(16).padStart(8, '0')} ${text}\n`;

  test.each([
    ['not a list', '{"0":"one"}'],
    ['a list without a kind', '[1,2]'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['not JSON', '["one",'],
    ['deeply nested', `["one",${'['.repeat(100_000)}${']'.repeat(100_000)}]`],
  ])('is read up to a record that is %s', async (_name, text) => {
    await writeRecords([['one', 1]]);
    await writeFile(path, `${await readFile(path, 'utf8')}${line(text)}${line('["two",2]')}`);
    const trustedRecords = await readRecords();
    expect(trustedRecords[0]).toEqual(['one', 1]);
    expect(trustedRecords).not.toContainEqual(['two', 2]);
  });

  test('is ignored entirely if it is longer than any that the service writes', async () => {
    await writeRecords([['one', 1]]);
    await truncate(path, 512 * 1024 ** 3);
    expect(await readRecords()).toEqual([]);
    await writeRecords([['two', 2]]);
    expect(await readRecords()).toEqual([['two', 2]]);
  });
});
