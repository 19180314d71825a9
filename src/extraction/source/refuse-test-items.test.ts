import { expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { testItems } from '../../contract/test-items.ts';
import { createPlatforms, defaultSettings } from '../../platforms/index.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { refuseTestItems } from './refuse-test-items.ts';

const fetchSource = refuseTestItems(async () => ({ metadata: { title: 'fetched' }, exit: 'direct' }));
const platforms = createPlatforms(defaultSettings);
const { signal } = new AbortController();

/** Returns the query of a request, such as `/p1/v3/video/details`. */
function queryOf(path: string, parameters: Record<string, string>): SourceQuery {
  const [, platform = '', rest = ''] = /^\/(p\d)\/v3(\/.*)$/.exec(path) ?? [];
  const endpoint = platforms.find(({ id }) => id === platform)?.endpoints.find((one) => one.path === rest);
  if (endpoint === undefined) throw new Error(`there is no ${path}`);
  // The source reads nothing else of a query.
  return { platform, endpoint, parameters, pages: { token: () => null } } as unknown as SourceQuery;
}

const ownItems = testItems.filter(({ isShared }) => !isShared);

test('refuses every item of the lab with an error that names test keys, also in text', async () => {
  expect(ownItems.length).toBeGreaterThan(50);
  for (const { path, parameter, value } of ownItems) {
    const texts = value.includes('/')
      ? [value, `${value}.`, `(${value})`, `${value};x`, `See ${value}, please`]
      : [value];
    for (const text of texts) {
      await expect(
        fetchSource(queryOf(path, { [parameter]: text }), serviceCaller, signal),
        text,
      ).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('test key'),
      });
    }
  }
});

test('fetches any other item, and items whose ID is a test item of another platform', async () => {
  const others = [queryOf('/p1/v3/video/details', { videoId: 'dQw4w9WgXcQ' })];
  const foreign = queryOf('/p5/v3/video/details', { videoId: 'lab-plain30' });
  for (const query of [...others, foreign])
    expect(await fetchSource(query, serviceCaller, signal)).toMatchObject({ metadata: { title: 'fetched' } });
});
