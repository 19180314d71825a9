import { expect, test } from 'vitest';
import { testItems } from '../../contract/test-items.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { refuseTestItems } from './refuse-test-items.ts';

const fetchSource = refuseTestItems(async () => ({ metadata: { title: 'fetched' }, exit: 'direct' }));
const query = (platform: string, parameters: object) => ({ platform, parameters }) as SourceQuery;
const { signal } = new AbortController();

const [item] = testItems.filter(({ platform, isShared }) => platform === 'p1' && isShared !== true);

test.each([{ videoId: item?.id }, { url: `https://www.youtube.com/watch?v=${item?.id}&t=1` }])(
  'refuses %j with an error that names test keys',
  async (parameters) => {
    await expect(fetchSource(query('p1', parameters), signal)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('test key'),
    });
  },
);

test('fetches any other item, and items whose ID is a test item of another platform', async () => {
  for (const [platform, videoId] of [
    ['p1', 'dQw4w9WgXcQ'],
    ['p5', item?.id],
  ] as const)
    expect(await fetchSource(query(platform, { videoId }), signal)).toMatchObject({ metadata: { title: 'fetched' } });
});
