import { describe, expect, it } from 'vitest';
import { disguised } from '../../lab/platforms/link-decorations.ts';
import { links } from '../../lab/platforms/sample-links.ts';
import { MillraceError } from '../contract/errors.ts';
import { createPlatforms, defaultSettings } from './index.ts';
import * as leaves from './links.ts';
import { readers } from './testing/link-readers.ts';

const platforms = createPlatforms(defaultSettings);

/** Returns the platforms that recognise a link as theirs, and the endpoints that it leads to. */
function targetsOf(link: string) {
  return Object.values(leaves).flatMap(({ id, ofLink }) => {
    const target = ofLink(new URL(link));
    return target === undefined ? [] : [{ id, ...target }];
  });
}

/** Returns the error code with which a reader rejects a link. */
async function refusal(read: (link: string) => unknown, link: string): Promise<unknown> {
  try {
    return await read(link);
  } catch (error) {
    return error instanceof MillraceError ? error.code : error;
  }
}

it('every platform of the service has its ID and name', () => {
  const names = platforms.map(({ id, title }) => [id, title]);
  expect(
    Object.values(leaves)
      .map(({ id, name }) => [id, name])
      .sort(),
  ).toEqual(names);
});

it('every platform has sample links', () => {
  expect(Object.keys(links)).toEqual(platforms.map(({ id }) => id));
});

it('no two platforms have the same rank', () => {
  const ranks = Object.values(leaves).map(({ idRank }) => idRank);
  expect(new Set(ranks).size).toBe(ranks.length);
});

describe.each(Object.entries(links))('a link of %s', (platform, ofPlatform) => {
  it.each(ofPlatform)('%s is recognised by this platform only', (link) => {
    expect(targetsOf(link).map(({ id }) => id)).toEqual([platform]);
  });

  it.each(ofPlatform)('%s leads to an endpoint and its valid parameters', (link) => {
    const [target] = targetsOf(link);
    const { endpoints = [] } = platforms.find(({ id }) => id === platform) ?? {};
    const endpoint = endpoints.find(({ path }) => path === `/${target?.endpoint}`);
    const names = Object.keys(target?.parameters ?? {});
    expect(Object.keys(endpoint?.parameters.properties ?? {})).toEqual(expect.arrayContaining(names));
    expect([...names, ...(target?.missing ?? [])]).toEqual(
      expect.arrayContaining(endpoint?.parameters.required ?? ['']),
    );
  });

  it.each(ofPlatform)('%s is rejected by every other platform as a link of another one', async (link) => {
    const others = Object.entries(readers).filter(([other]) => other !== platform);
    for (const [, read] of others) {
      for (const one of read) expect(await refusal(one, link)).toBe('invalid_platform_url');
    }
  });
});

describe.each(Object.entries(links))('a link that only mentions a link of %s', (_, ofPlatform) => {
  it.each(ofPlatform)('%s is not recognised and is rejected', async (link) => {
    for (const one of disguised(link)) {
      expect(targetsOf(one)).toEqual([]);
      for (const read of Object.values(readers).flat()) expect(await refusal(read, one)).toBe('invalid_platform_url');
    }
  });
});
