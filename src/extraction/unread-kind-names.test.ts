import { describe, expect, test } from 'vitest';
import { createKindNames } from './unread-kind-names.ts';

describe('the kinds of a platform', () => {
  test.each(['lockupViewModel', 'XIGPolarisStoryMedia', 'feed.item:v2-a', 'application/vnd.new+json', 'x'.repeat(80)])(
    'keep the name %s',
    (kind) => {
      expect(createKindNames()({ [kind]: 1 })).toEqual({ [kind]: 1 });
    },
  );

  test.each(['', 'x'.repeat(81), 'a"} 1\nb', 'a b', 'é', '<b>'])('are called other instead of %j', (kind) => {
    expect(createKindNames()({ [kind]: 1 })).toEqual({ other: 1 });
  });

  test('are added up under their names', () => {
    expect(createKindNames()({ a: 1, 'b c': 2, 'd e': 3 })).toEqual({ a: 1, other: 5 });
  });

  test('have at most 50 names besides other, however many there are', () => {
    const named = createKindNames();
    const hostile = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`kind${index}`, 1]));
    const names = named(hostile);
    expect(Object.keys(names)).toHaveLength(51);
    expect(names).toMatchObject({ kind0: 1, kind49: 1, other: 950 });
    expect(named({ kind999: 2, kind3: 1 })).toEqual({ other: 2, kind3: 1 });
  });

  test('may be named like members of objects', () => {
    expect(createKindNames()({ constructor: 1, toString: 2 })).toEqual({ constructor: 1, toString: 2 });
  });
});
