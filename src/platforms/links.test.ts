import { describe, expect, it } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { createPlatforms, defaultSettings } from './index.ts';
import * as leaves from './links.ts';
import { disguised, links, readers } from './testing/links.ts';

const platforms = createPlatforms(defaultSettings);

/** The platforms that take a link for one of theirs, and the endpoints that they say it leads to. */
function targetsOf(link: string) {
  return Object.values(leaves).flatMap(({ id, ofLink }) => {
    const target = ofLink(new URL(link));
    return target === undefined ? [] : [{ id, ...target }];
  });
}

/** The code that a reader refuses a link with. */
async function refusal(read: (link: string) => unknown, link: string): Promise<unknown> {
  try {
    return await read(link);
  } catch (error) {
    return error instanceof MillraceError ? error.code : error;
  }
}

it('every platform of the service has its id and name', () => {
  const names = platforms.map(({ id, title }) => [id, title]);
  expect(
    Object.values(leaves)
      .map(({ id, name }) => [id, name])
      .sort(),
  ).toEqual(names);
});

it('no two platforms have the same rank', () => {
  const ranks = Object.values(leaves).map(({ idRank }) => idRank);
  expect(new Set(ranks).size).toBe(ranks.length);
});

describe.each(Object.entries(links))('a link of %s', (platform, ofPlatform) => {
  it.each(ofPlatform)('%s means something to it alone', (link) => {
    expect(targetsOf(link).map(({ id }) => id)).toEqual([platform]);
  });

  it.each(ofPlatform)('%s leads to an endpoint with parameters that it takes', (link) => {
    const [target] = targetsOf(link);
    const { endpoints = [] } = platforms.find(({ id }) => id === platform) ?? {};
    const endpoint = endpoints.find(({ path }) => path === `/${target?.endpoint}`);
    const names = Object.keys(target?.parameters ?? {});
    expect(Object.keys(endpoint?.parameters.properties ?? {})).toEqual(expect.arrayContaining(names));
    expect([...names, ...(target?.missing ?? [])]).toEqual(
      expect.arrayContaining(endpoint?.parameters.required ?? ['']),
    );
  });

  it.each(ofPlatform)('%s is refused by every other as one of another platform', async (link) => {
    const others = Object.entries(readers).filter(([other]) => other !== platform);
    for (const [, read] of others) {
      for (const one of read) expect(await refusal(one, link)).toBe('invalid_platform_url');
    }
  });
});

describe.each(Object.entries(links))('a link that only names one of %s', (_, ofPlatform) => {
  it.each(ofPlatform)('%s means nothing, and is refused', async (link) => {
    for (const one of disguised(link)) {
      expect(targetsOf(one)).toEqual([]);
      for (const read of Object.values(readers).flat()) expect(await refusal(read, one)).toBe('invalid_platform_url');
    }
  });
});
