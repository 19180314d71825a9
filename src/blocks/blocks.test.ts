import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noSubjectReader, type SubjectReader } from '../contract/subjects.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createBlockIndex, noBlocks } from './block-index.ts';
import { type BlockList, openBlockList } from './block-list.ts';
import { type NewBlock, openStoredBlocks, type RecordBlock } from './stored-blocks.ts';
import { blocking, blockOf } from './testing/test-blocks.ts';

const log = pino({ level: 'silent' });

/** Reads the parameter `videoId`, and links to `v/…` in blocks. */
const reader: SubjectReader = {
  ofQuery: ({ platform, parameters: { videoId } }) => [`${platform}/item/${String(videoId)}`],
  find: (_platform, _kind, text) => /\/v\/(\w+)/.exec(text)?.[1] ?? text,
};

describe('what a link or a job came from', () => {
  const origin = { platform: 'p1', endpoint: '/video/details', parameters: { videoId: 'abc' }, content: 0 };
  const blocks = blocking('item', 'p1', 'abc', reader);

  test('is refused by its parameters, which links of former versions have only', () => {
    expect(blocks.refusalOfOrigin(origin)?.code).toBe('blocked');
    expect(blocks.refusalOfOrigin({ ...origin, parameters: { videoId: 'other' } })).toBeUndefined();
    expect(blocks.subjectsOfOrigin(origin)).toEqual(['p1/item/abc']);
  });

  test('is refused by the subjects that it states', () => {
    const stated = { ...origin, parameters: { videoId: 'other' }, subjects: ['p1/channel/UC1', 'p1/item/abc'] };
    expect(blocks.refusalOfOrigin(stated)?.code).toBe('blocked');
    expect(noBlocks.refusalOfOrigin(stated)).toBeUndefined();
  });

  test('is refused by a block that a former version stored as a link', () => {
    expect(blocking('item', 'p1', 'https://site.example/v/abc', reader).refusalOfOrigin(origin)?.code).toBe('blocked');
  });
});

describe('an index of blocks', () => {
  test('refuses hosts and their subdomains, in any case', () => {
    const index = blocking('host', '', 'bad.example');
    for (const host of ['bad.example', 'a.b.BAD.example', 'bad.example.'])
      expect(index.refusalOfHost(host)?.code).toBe('blocked');
    for (const host of ['notbad.example', 'example', '']) expect(index.refusalOfHost(host)).toBeUndefined();
    expect(index.hasSubjects).toBe(false);
  });

  test('tells platforms and kinds apart, and states the reason', () => {
    const index = blocking('channel', 'p1', '@Some');
    expect(index.refusalOf(['p1/item/x', 'p1/channel/@some'])).toMatchObject({
      ...{ code: 'blocked', status: 451, reason: 'Court order 7' },
      message: 'The operator of this service has blocked this channel: Court order 7.',
    });
    for (const other of ['p2/channel/@some', 'p1/item/@some']) expect(index.refusalOf([other])).toBeUndefined();
    expect(noBlocks.refusalOf(['p1/item/x'])).toBeUndefined();
  });

  test('ends a block at its expiry', () => {
    let now = 1_000;
    const block = blockOf({ kind: 'item', platform: 'p1', value: 'x' }, { expiresAt: new Date(2_000) });
    const index = createBlockIndex([block], noSubjectReader, () => now);
    expect(index.refusalOf(['p1/item/x'])).toBeDefined();
    now = 2_000;
    expect(index.refusalOf(['p1/item/x'])).toBeUndefined();
  });
});

describe('the block list of a service', () => {
  let database: TestDatabase;
  const closers: (() => Promise<void>)[] = [];
  let recorded: unknown[];
  beforeEach(async () => {
    recorded = [];
    database = await openTestDatabase();
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    await database.close();
  });

  async function open(): Promise<BlockList> {
    const blocks = await openBlockList(database, noSubjectReader, log);
    closers.push(blocks.close);
    return blocks;
  }

  const item: NewBlock = {
    ...{ kind: 'item', platform: 'p1', value: 'x', reason: 'Copyright.', createdBy: 'admin', expiresAt: null },
  };

  const record: RecordBlock = async (_sql, before, after) => void recorded.push([before?.reason, after?.reason]);

  test('applies a change at once where it is made, and soon on other nodes', async () => {
    const [here, there] = [await open(), await open()];
    const block = await here.add(item, record);
    expect(here.refusalOf(['p1/item/x'])?.message).toMatch(/: Copyright\.$/);
    await expect.poll(() => there.hasSubjects).toBe(true);
    expect(await here.remove(block.id, record)).toMatchObject({ id: block.id, value: 'x' });
    expect(here.refusalOf(['p1/item/x'])).toBeUndefined();
    await expect.poll(() => there.hasSubjects).toBe(false);
    expect(await here.remove(block.id, record)).toBeUndefined();
    expect(await here.remove('no UUID', record)).toBeUndefined();
  });

  test('has one entry for each target, with the last reason', async () => {
    const blocks = await open();
    const { id } = await blocks.add(item, record);
    const again = await blocks.add({ ...item, reason: 'Court order 8' }, record);
    expect(again).toMatchObject({ id, reason: 'Court order 8' });
    expect(blocks.refusalOf(['p1/item/x'])?.reason).toBe('Court order 8');
    expect(await blocks.list()).toHaveLength(1);
    expect(recorded).toEqual([
      [undefined, 'Copyright.'],
      ['Copyright.', 'Court order 8'],
    ]);
  });

  test('refuses further entries when it is full, but still changes those that it has', async () => {
    const blocks = openStoredBlocks(database, 1);
    const { id } = await blocks.add(item, record);
    await expect(blocks.add({ ...item, value: 'y' }, record)).rejects.toMatchObject({ code: 'conflict', status: 409 });
    expect(await blocks.add({ ...item, reason: 'Malware' }, record)).toMatchObject({ id, reason: 'Malware' });
  });

  test('is known to a node that starts later, without expired entries', async () => {
    const blocks = await open();
    await blocks.add({ ...item, expiresAt: new Date(Date.now() - 1_000) }, record);
    await blocks.add({ ...item, kind: 'host', platform: '', value: 'bad.example' }, record);
    const later = await open();
    expect(later.refusalOfHost('a.bad.example')?.code).toBe('blocked');
    expect((await later.list()).map(({ kind }) => kind)).toEqual(['host']);
  });
});
