import { describe, expect, test } from 'vitest';
import { completeNames, parseHosts, parseSearchRules } from './system-names.ts';

test('a hosts file names addresses; comments and other lines are left out', () => {
  const text = [
    '# 192.0.2.9 commented',
    '127.0.0.1\tlocalhost',
    '192.0.2.1 Store.Example store # 192.0.2.2 other',
    '2001:db8::1 store',
    'nonsense store',
    '192.0.2.3',
    '',
  ].join('\r\n');
  expect([...parseHosts(text)]).toEqual([
    ['localhost', [{ address: '127.0.0.1', family: 4 }]],
    ['store.example', [{ address: '192.0.2.1', family: 4 }]],
    [
      'store',
      [
        { address: '192.0.2.1', family: 4 },
        { address: '2001:db8::1', family: 6 },
      ],
    ],
  ]);
});

describe('search domains', () => {
  test.for<[string, string, readonly string[]]>([
    ['', 'store', ['store']],
    ['search a.example b.example.', 'store', ['store.a.example', 'store.b.example', 'store']],
    ['search a.example', 'media.example', ['media.example', 'media.example.a.example']],
    ['search a.example\noptions edns0 ndots:2', 'media.example', ['media.example.a.example', 'media.example']],
    ['search a.example\ndomain b.example', 'store', ['store.b.example', 'store']],
    ['search a.example\nsearch .', 'store', ['store']],
    ['; search a.example\nnameserver 192.0.2.1', 'store', ['store']],
    ['search a.example\noptions ndots:x', 'store', ['store.a.example', 'store']],
  ])('%j completes %s', ([text, name, expected]) => {
    expect(completeNames(name, parseSearchRules(text))).toEqual(expected);
  });

  test('at most 16 of them are tried', () => {
    const domains = Array.from({ length: 40 }, (_, index) => `d${index}.example`);
    expect(completeNames('store', parseSearchRules(`search ${domains.join(' ')}`))).toHaveLength(17);
  });
});
