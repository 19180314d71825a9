import { expect, test } from 'vitest';
import { findPatterns } from './find-patterns.ts';

/** Finds the patterns of a module that may import from another one. */
function find(source: string, other = '') {
  return findPatterns(['/a/one.ts'], (file) => (file === '/a/one.ts' ? source : other));
}

/** Returns the patterns of a module as literals. */
const patternsOf = (source: string, other?: string) =>
  find(source, other).patterns.map(({ source, flags }) => `/${source}/${flags}`);

/** Returns the code that hides a pattern from the checker. */
const unreadableIn = (source: string) => find(source).unreadable.map(({ code }) => code);

test('finds literals anywhere in the code, with their lines', () => {
  const source = [
    `const a: string = 'no /pattern/';`,
    `function strip(text: string) { return text.replace(/\\.+$/, ''); }`,
    'const rows = [[/b/u, 1]] as const; // not /this/',
    `const page = html\`<p>\${text.split(/c/g)}</p>\`;`,
  ].join('\n');
  expect(find(source).patterns.map(({ line, source }) => [line, source])).toEqual([
    [2, '\\.+$'],
    [3, 'b'],
    [4, 'c'],
  ]);
});

test.each([
  ["new RegExp('a+')", '/a+/'],
  ["RegExp('a', 'gu')", '/a/gu'],
  [`new RegExp(\`^\${part}$\`); const part = 'a|b';`, '/^a|b$/'],
  ["new RegExp(['a', String.raw`\\d`].join('|'), 'i')", '/a|\\d/i'],
  ["new RegExp('a' + limits.most); const limits = { most: 3 } as const;", '/a3/'],
  ["text.match('a.')", '/a./'],
  ["Type.String({ pattern: '^a$' })", '/^a$/u'],
  ["const schema = { type: 'string', pattern: '^a$' };", '/^a$/u'],
])('reads %s as the pattern %s', (source, pattern) => {
  expect(patternsOf(source)).toEqual([pattern]);
  expect(unreadableIn(source)).toEqual([]);
});

test('reads no pattern in a call of the caches of a browser', () => {
  const source = 'caches.match(url, { cacheName })';
  expect([patternsOf(source), unreadableIn(source)]).toEqual([[], []]);
});

test('reads constants of other modules', () => {
  const source = `import { name, whole as all } from './two.ts'; new RegExp(\`\${name}+\`); Type.String({ pattern: all.source });`;
  expect(patternsOf(source, "export const name = 'a'; export const whole = /^b$/;")).toEqual(['/a+/', '/^b$/u']);
});

test.each([
  'new RegExp(text)',
  'new RegExp(text + "+")',
  'RegExp(text)',
  'text.match(other)',
  'Type.String({ pattern: text })',
  'const make = RegExp;',
  'Reflect.construct(globalThis.RegExp, [text]);',
])('refuses %s because its pattern cannot be read', (source) => {
  expect(unreadableIn(source).length).toBe(1);
});

test('does not use a constant that another declaration shadows', () => {
  expect(unreadableIn("const part = 'a'; const make = (part: string) => new RegExp(part);").length).toBe(1);
});

test.each([
  'const use = (shape: RegExp) => text.matchAll(shape);',
  'const shape = /a/g; text.matchAll(shape);',
  'if (value instanceof RegExp) use(value);',
  'address.match([range, bits]);',
])('accepts %s', (source) => expect(unreadableIn(source)).toEqual([]));

test('reads the bound of a pattern, and refuses one that is not a constant', () => {
  expect(find('const MOST = 200; boundedPattern(/a*a*b/, MOST); boundedPattern(/c/, 30);').patterns).toMatchObject([
    { source: 'a*a*b', maxLength: 200 },
    { source: 'c', maxLength: 30 },
  ]);
  expect(find('boundedPattern(new RegExp("a"), 9)').patterns).toMatchObject([{ source: 'a', maxLength: 9 }]);
  expect(unreadableIn('boundedPattern(/a/, length)').length).toBe(1);
  expect(unreadableIn('const shape = /a/; boundedPattern(shape, 9)').length).toBe(1);
});
