/** A path to a member: names and indexes. */
export type MemberPath = readonly (string | number)[];

/** Replaces a member; `undefined` removes it. */
export interface Mutation {
  readonly path: MemberPath;
  readonly value: unknown;
  /** Names the mutation in reports: `contents.0.videos.0.url = "data:…"`. */
  readonly name: string;
}

/** Returns a value inside this many lists. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** What a hostile service puts in place of a right member: other types, extremes, and texts with a meaning elsewhere. */
export const hostileValues: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  0.5,
  101,
  2 ** 53,
  1e308,
  '',
  ' ',
  '7',
  'x'.repeat(100_000),
  [],
  [null],
  Array.from({ length: 2_000 }, () => 'x'),
  {},
  { length: 5, toString: null },
  nested(5_000),
  '\u001b[2J\u001b]0;title\u0007\u009b31m\u0000\r',
  '\u202egpj.exe\u2066\u200f',
  'a\nb\tc\u2028d',
  '../../../outside/escaped',
  '/etc/outside',
  'C:\\outside\\..\\x',
  'CON',
  'aux.mp4',
  'application/x-msdownload',
  'text/html',
  '.',
  '..',
  '-rf',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'http://169.254.169.254/latest/meta-data',
  'https://other.example/file',
  'https://user:password@other.example/',
  'http://',
  '//other.example/file',
  '\ud800',
];

/** Returns the paths of all members of a value. Of a list, only the first two entries count. */
export function memberPaths(value: unknown, path: MemberPath = []): readonly MemberPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? value.slice(0, 2).entries() : Object.entries(value);
  return [path, ...[...members].flatMap(([name, member]) => memberPaths(member, [...path, name]))];
}

/**
 * Returns every mutation of a right response: each member with each hostile value.
 *
 * @param lasting Members that stay, such as the last status of a render: a command waits for another one for a day.
 */
export function mutationsOf(response: unknown, lasting: readonly string[] = []): readonly Mutation[] {
  const paths = memberPaths(response).filter((path) => !lasting.includes(path.join('.')));
  return paths.flatMap((path) =>
    hostileValues.map((value, index) => ({ path, value, name: `${path.join('.')} = value ${index}` })),
  );
}

/** Returns a copy of a response with a mutation. */
export function mutate(response: unknown, { path, value }: Mutation): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(response)) {
    return response.flatMap((item, index) =>
      index === step ? listOf(mutate(item, { path: rest, value, name: '' })) : [item],
    );
  }
  const entries = Object.entries(response as object).flatMap(([name, member]) => {
    const next = name === step ? mutate(member, { path: rest, value, name: '' }) : member;
    return next === undefined ? [] : [[name, next] as const];
  });
  return Object.fromEntries(entries);
}

function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value];
}
