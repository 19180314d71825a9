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

/** Writes a journal, and returns what a next one reads of it. */
async function write(records: readonly JournalRecord[], subject: unknown = 'a') {
  const journal = await openJournal(path, subject);
  for (const record of records) journal.note(record);
  await journal.close();
}
async function read(subject: unknown = 'a') {
  const journal = await openJournal(path, subject);
  await journal.close();
  return journal.records;
}

const record = fc.tuple(fc.string(), fc.nat(), fc.string({ unit: 'grapheme' }));

test('a journal tells what was noted, one process after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(record, { maxLength: 5 }), { maxLength: 4 }), async (processes) => {
      await rm(path, { force: true });
      for (const [index, records] of processes.entries()) {
        expect(await read()).toEqual(processes.slice(0, index).flat());
        await write(records);
      }
      expect(await read()).toEqual(processes.flat());
    }),
    { seed: 4, numRuns: propertyRuns(30) },
  );
});

test('of a damaged journal what stands before the damage is believed, and what follows is written there', async () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    byte: fc.nat(255),
    cut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), damage, async (records, { at, byte, cut }) => {
      await rm(path, { force: true });
      await write(records);
      const bytes = await readFile(path);
      const place = Math.floor(at * bytes.length);
      await writeFile(
        path,
        cut ? bytes.subarray(0, place) : bytes.fill(bytes.readUInt8(place) ^ (byte || 1), place, place + 1),
      );
      const believed = await read();
      expect(believed).toEqual(records.slice(0, believed.length));
      expect(believed.length).toBeLessThan(records.length);
      await write([['more']]);
      expect(await read()).toEqual([...believed, ['more']]);
    }),
    { seed: 5, numRuns: propertyRuns(60) },
  );
});

test('records of another subject, or that were cleared, are not believed', async () => {
  await write([['one', 1]]);
  expect(await read('b')).toEqual([]);
  expect(await read('a')).toEqual([]);
  await write([['one', 1]]);
  const journal = await openJournal(path, 'a');
  expect(journal.records).toEqual([['one', 1]]);
  await journal.clear();
  journal.note(['two', 2]);
  await journal.close();
  expect(await read()).toEqual([['two', 2]]);
});

test('a journal takes no more when it is long enough, and tells what goes wrong with it', async () => {
  const journal = await openJournal(path, 'a');
  for (let part = 0; part < 12; part += 1) journal.note(['part', 'x'.repeat(1024 * 1024)]);
  await journal.close();
  expect(await read()).toHaveLength(8);
  const closed = await openJournal(path, 'b');
  await closed.close();
  closed.note(['late']);
  await expect(closed.clear()).rejects.toMatchObject({ code: 'EBADF' });
});

describe.each(hostileKinds)('a %s in place of a journal', (trap) => {
  test('is neither read nor written', { timeout: 5_000 }, async () => {
    const ground = await makeHostileFolder();
    try {
      path = join(ground.folder, 'journal');
      await ground.place(trap, path);
      await expect(write([['one', 1]])).rejects.toThrow();
      expect(await ground.readVictim()).toBe(untouchedContent);
    } finally {
      await ground.delete();
    }
  });
});

describe('a journal that was tampered with', () => {
  /** A record as the journal would write it down. */
  const line = (text: string) => `${crc32(Buffer.from(text)).toString(16).padStart(8, '0')} ${text}\n`;

  test.each([
    ['no list', '{"0":"one"}'],
    ['a list without a kind', '[1,2]'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['no JSON', '["one",'],
    ['brackets upon brackets', `["one",${'['.repeat(100_000)}${']'.repeat(100_000)}]`],
  ])('is believed up to a record that is %s', async (_name, text) => {
    await write([['one', 1]]);
    await writeFile(path, `${await readFile(path, 'utf8')}${line(text)}${line('["two",2]')}`);
    const believed = await read();
    expect(believed[0]).toEqual(['one', 1]);
    expect(believed).not.toContainEqual(['two', 2]);
  });

  test('is not read at all when it is longer than any that was written', async () => {
    await write([['one', 1]]);
    await truncate(path, 512 * 1024 ** 3);
    expect(await read()).toEqual([]);
    await write([['two', 2]]);
    expect(await read()).toEqual([['two', 2]]);
  });
});
