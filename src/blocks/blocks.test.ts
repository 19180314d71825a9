import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createBlockIndex, noBlocks } from './block-index.ts';
import { type BlockList, openBlockList } from './block-list.ts';
import { type NewBlock, openStoredBlocks, type RecordBlock } from './stored-blocks.ts';
import { subjectsOfMetadata, subjectsOfOrigin, subjectsOfParameters } from './subjects.ts';
import { blocking, blockOf } from './testing/test-blocks.ts';

const log = pino({ level: 'silent' });

describe('the subjects', () => {
  test('of parameters are the words of IDs, handles and links', () => {
    const subjectsOf = (parameters: Record<string, string>) => subjectsOfParameters({ platform: 'p4', parameters });
    expect(subjectsOf({ videoId: 'abc' })).toContain('p4/item/abc');
    const link = subjectsOf({ url: 'See https://www.tiktok.com/@Some.One/video/76088?lang=en' });
    expect(link).toEqual(expect.arrayContaining(['p4/item/76088', 'p4/channel/@some.one']));
    const encoded = subjectsOf({ url: 'https://www.tiktok.com/%40Some%2eOne/vid%C3%A9o/7608%38?a=%E0%A4%A' });
    expect(encoded).toEqual(expect.arrayContaining(['p4/item/76088', 'p4/channel/@some.one', 'p4/item/vidéo']));
    expect(subjectsOf({ username: 'NASA' })).toContain('p4/channel/@nasa');
    expect(subjectsOf({ query: 'abc', lang: 'en', countryCode: 'US' })).toEqual([]);
  });

  test('of metadata are its item, its author and its channel, and none of a list', () => {
    const listed = { id: 'v2', channel: { id: 'UC2' } };
    const metadata = {
      author: { id: 'UC1', handle: '@Me', name: 'x' },
      additionalData: { id: 'v1', shortcode: 's1', related: [listed] },
      playlist: { info: { id: 'PL1', author: { id: 'UC3' } }, videos: [listed] },
    };
    expect(subjectsOfMetadata('p1', metadata)).toEqual([
      ...['p1/item/v1', 'p1/item/s1', 'p1/item/PL1'],
      ...['p1/channel/UC1', 'p1/channel/@me', 'p1/channel/UC3'],
    ]);
    expect(subjectsOfMetadata('p1', { author: 'no object', additionalData: { id: 7 } })).toEqual([]);
  });

  test('of a link of a former version are those of its parameters', () => {
    const origin = { platform: 'p1', endpoint: '/video/details', parameters: { videoId: 'abc' }, content: 0 };
    expect(subjectsOfOrigin(origin)).toContain('p1/item/abc');
    expect(subjectsOfOrigin({ ...origin, subjects: ['p1/channel/UC1'] })).toContain('p1/channel/UC1');
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
    const index = createBlockIndex([block], () => now);
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
    const blocks = await openBlockList(database, log);
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
