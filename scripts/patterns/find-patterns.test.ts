import { expect, test } from 'vitest';
import { findPatterns } from './find-patterns.ts';

/** Finds the patterns of one module beside another one. */
function find(source: string, other = '') {
  return findPatterns(['/a/one.ts'], (file) => (file === '/a/one.ts' ? source : other));
}

/** The patterns of a module, as literals. */
const patternsOf = (source: string, other?: string) =>
  find(source, other).patterns.map(({ source, flags }) => `/${source}/${flags}`);

/** What a module hides from the checker. */
const unreadableIn = (source: string) => find(source).unreadable.map(({ code }) => code);

test('literals are found wherever they stand, with their lines', () => {
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
])('%s is the pattern %s', (source, pattern) => {
  expect(patternsOf(source)).toEqual([pattern]);
  expect(unreadableIn(source)).toEqual([]);
});

test('constants of other modules are followed', () => {
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
])('%s is refused, since its text cannot be read', (source) => {
  expect(unreadableIn(source).length).toBe(1);
});

test('a constant that something shadows is not believed', () => {
  expect(unreadableIn("const part = 'a'; const make = (part: string) => new RegExp(part);").length).toBe(1);
});

test.each([
  'const use = (shape: RegExp) => text.matchAll(shape);',
  'const shape = /a/g; text.matchAll(shape);',
  'if (value instanceof RegExp) use(value);',
  'address.match([range, bits]);',
])('%s hides nothing', (source) => expect(unreadableIn(source)).toEqual([]));

test('the bound of a pattern is read, and must be readable', () => {
  expect(find('const MOST = 200; boundedPattern(/a*a*b/, MOST); boundedPattern(/c/, 30);').patterns).toMatchObject([
    { source: 'a*a*b', maxLength: 200 },
    { source: 'c', maxLength: 30 },
  ]);
  expect(find('boundedPattern(new RegExp("a"), 9)').patterns).toMatchObject([{ source: 'a', maxLength: 9 }]);
  expect(unreadableIn('boundedPattern(/a/, length)').length).toBe(1);
  expect(unreadableIn('const shape = /a/; boundedPattern(shape, 9)').length).toBe(1);
});
