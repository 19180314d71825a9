import { describe, expect, it } from 'vitest';
import { createPlatforms, defaultSettings } from './index.ts';
import { createSubjectReader, subjectsOfResult } from './subjects.ts';

const platforms = createPlatforms(defaultSettings);
const reader = createSubjectReader(platforms);

describe('the name that an operator blocks', () => {
  it.each([
    ['p1', 'channel', '@Some', '@some'],
    ['p1', 'channel', 'UCuAXFkgsw1L7xaCfnd5JJOw', 'UCuAXFkgsw1L7xaCfnd5JJOw'],
    ['p1', 'channel', 'Some', '@some'],
    ['p1', 'item', 'lab-plain30', 'lab-plain30'],
    ['p1', 'item', 'https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4s', 'PLrAXtmErZgOeiKm4s'],
    ['p2', 'item', 'DdG4RIxIPyf', '3983118388705688735'],
    ['p2', 'item', '3983118388705688735', '3983118388705688735'],
    ['p2', 'channel', 'NASA', '@nasa'],
    ['p2', 'channel', '528817151', '528817151'],
    ['p3', 'channel', 'The.Lab', '@thelab'],
    ['p3', 'item', '770000000000001', '770000000000001'],
    ['p4', 'channel', 'https://www.tiktok.com/@Some.Name/video/7608826249200356630', '@some.name'],
    ['p5', 'channel', 'x2abc', 'x2abc'],
    ['p6', 'item', 'https://pinterest.fr/pin/31454897393552949.', '31454897393552949'],
    ['p99', 'item', 'Abc', 'Abc'],
  ] as const)('on %s as the %s %s is %s', (platform, kind, text, name) => {
    expect(reader.find(platform, kind, text)).toBe(name);
  });

  it.each([
    ['p1', 'channel', 'https://www.youtube.com/user/name'],
    ['p1', 'channel', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
    ['p1', 'item', 'https://www.dailymotion.com/video/x96ndxe'],
    ['p3', 'item', 'https://fb.watch/AbC_1/'],
    ['p4', 'item', 'https://vm.tiktok.com/ZMabc12/'],
    ['p6', 'item', 'https://pin.it/4AbCdEf'],
    ['p6', 'channel', 'two words'],
    ['p99', 'item', 'https://site.example/a'],
    ['p1', 'item', 'a'.repeat(301)],
  ] as const)('on %s as the %s is not in %s', (platform, kind, text) => {
    expect(reader.find(platform, kind, text)).toBeUndefined();
  });
});

it('a result states its subjects as blocks compare them, each once', () => {
  const platform = platforms.find(({ id }) => id === 'p3');
  if (platform === undefined) throw new Error('there is no p3');
  const metadata = { author: { id: '1000', handle: 'The.Lab' }, additionalData: { postId: '5' } };
  expect(subjectsOfResult(platform, { metadata, subjects: { items: ['5', '6'], channels: ['thelab'] } })).toEqual([
    ...['p3/item/5', 'p3/item/6', 'p3/channel/@thelab', 'p3/channel/1000'],
  ]);
});
