import fc from 'fast-check';
import type { DocumentedOperation, DocumentedParameter } from '../contract.ts';
import { hostileValue, strangeName } from './hostile.ts';
import { linksFor } from './links.ts';
import { validTexts, wrongTexts } from './texts.ts';

/** Longest URL that the service reads. */
const URL_LIMIT = 8_192;
const lengths = fc.oneof(
  fc.integer({ min: URL_LIMIT - 2, max: URL_LIMIT + 2 }),
  fc.constantFrom(URL_LIMIT * 2, 65_000, 66_000),
);

/**
 * Generates request targets of an operation: with valid parameters, with one wrong parameter, with any values, with a
 * damaged path, and of every length around the limit.
 *
 * @param knownTargets Targets issued by the service for the operation. They are sent unchanged, and altered.
 */
export function targetsOf(operation: DocumentedOperation, knownTargets: readonly string[]): fc.Arbitrary<string> {
  const generated = fc.oneof(
    { weight: 4, arbitrary: build(operation, 'valid') },
    { weight: 5, arbitrary: build(operation, 'one wrong') },
    { weight: 3, arbitrary: build(operation, 'any') },
  );
  return fc.oneof(
    ...(knownTargets.length === 0
      ? []
      : [{ weight: 14, arbitrary: fc.constantFrom(...knownTargets).chain(alterations) }]),
    { weight: 14, arbitrary: generated },
    { weight: 2, arbitrary: generated.chain(damagedPath) },
    { weight: 1, arbitrary: fc.tuple(generated, lengths).map(([target, length]) => lengthen(target, length)) },
  );
}

/** Targets that belong to no operation. */
export const strangeTargets: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '*',
    '/',
    '/favicon.ico',
    '/../../etc/passwd',
    '/__proto__',
    '/constructor/prototype',
    '//p1//v3',
    '/p1',
    '/p1/v3',
    '/p9/v3/video/details?videoId=1',
    '/api/v1/render',
    '/api/v2/render/execute',
    '/assets/x/main.js',
    '/assets/x/..%2f..%2fpackage.json',
    '/admin/keys',
    '/metrics',
    '/openapi/%00',
    '/files/x',
    '/relay/x',
    'http://elsewhere.example/health',
    'http://127.0.0.1:9/health',
    '/health HTTP/1.1\r\nX-Injected: 1\r\nX:',
    '/health\u0000',
    '/\u00ff',
    '/%',
    '/%zz',
    '/p1/v3/%ff',
    '?',
    '#',
    'health',
  ),
  fc.array(hostileValue, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
  lengths.map((length) => `/${'a'.repeat(length - 1)}`),
);

type Mode = 'valid' | 'one wrong' | 'any';

function build({ path, parameters }: DocumentedOperation, mode: Mode): fc.Arbitrary<string> {
  // Created once, because it takes longer than to generate a value.
  const fitting = parameters.map((parameter) => valuesOf(path, parameter, mode === 'any' ? mode : false));
  const others = mode === 'one wrong' ? parameters.map((parameter) => valuesOf(path, parameter, true)) : [];
  const chosen = fc.tuple(...fitting);
  const oneWrong = others.map((other, wrong) => fc.tuple(...fitting.map((each, at) => (at === wrong ? other : each))));
  const lists = oneWrong.length > 0 ? fc.oneof(...oneWrong) : chosen;
  return fc.tuple(lists, strangeQuery(mode)).map(([values, strange]) => {
    const place = parameters.reduce((text, { name, in: where }, at) => {
      const [value = 'x'] = values[at] ?? [];
      return where === 'path' ? text.replace(`{${name}}`, () => value.replace(/[/?#]/g, '-') || '-') : text;
    }, path);
    const pairs = parameters.flatMap(({ name, in: where }, at) =>
      where === 'query' ? (values[at] ?? []).map((value) => `${name}=${value}`) : [],
    );
    const query = [...pairs, ...strange].join('&').replaceAll('#', '%23');
    return query === '' ? place : `${place}?${query}`;
  });
}

/** Generates the values of one parameter: none, one, or several. */
function valuesOf(
  path: string,
  parameter: DocumentedParameter,
  wrong: boolean | 'any',
): fc.Arbitrary<readonly string[]> {
  const valid = validTexts(parameter, linksFor(path, parameter));
  const one = (texts: fc.Arbitrary<string>) => texts.map((text) => [text]);
  const none = { weight: parameter.required ? 0 : 2, arbitrary: fc.constant([]) };
  // Only csv parameters may be repeated.
  const validLists = parameter.schema.type === 'array' ? fc.array(valid, { minLength: 1, maxLength: 3 }) : one(valid);
  if (wrong === false) return fc.oneof(none, { weight: 1, arbitrary: validLists });
  const bad = wrongTexts(parameter);
  const repeated = fc.array(fc.oneof(valid, bad), { minLength: 2, maxLength: 3 });
  return fc.oneof(
    { weight: wrong === 'any' ? 4 : 1, arbitrary: fc.constant([]) },
    { weight: wrong === 'any' ? 3 : 0, arbitrary: one(valid) },
    { weight: 4, arbitrary: one(bad) },
    { weight: 1, arbitrary: repeated },
  );
}

function strangeQuery(mode: Mode): fc.Arbitrary<readonly string[]> {
  const pair = fc.tuple(strangeName, hostileValue).map(([name, value]) => `${name}=${value}`);
  return mode === 'any' ? fc.array(pair, { maxLength: 2 }) : fc.constant([]);
}

/** Generates an issued target unchanged, and with one position changed, cut, doubled or extended. */
function alterations(target: string): fc.Arbitrary<string> {
  const place = fc.nat(Math.max(0, target.length - 1));
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(target) },
    { weight: 3, arbitrary: fc.tuple(place, fc.constantFrom('A', 'b', '0', '-', '_', '.', '%00', '/')).map(replaceIn) },
    { weight: 2, arbitrary: place.map((length) => target.slice(0, Math.max(1, length))) },
    { weight: 1, arbitrary: hostileValue.map((value) => `${target}${value.replaceAll('#', '%23')}`) },
    { weight: 1, arbitrary: fc.constant(`${target}&${target.split('?')[1] ?? ''}`) },
  );
  function replaceIn([at, character]: [number, string]): string {
    return target.slice(0, Math.max(1, at)) + character + target.slice(Math.max(1, at) + 1);
  }
}

function damagedPath(target: string): fc.Arbitrary<string> {
  const [path = '', query = ''] = target.split('?', 2);
  const changed = [
    `${path}/`,
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    path.toUpperCase(),
    path.replace(/\/(?!.*\/)/, '%2f'),
    path.replace(/\/(?!.*\/)/, '%5c'),
    path.replace(/\/(?!.*\/)/, '//'),
    path.replace(/\/[^/]*$/, '/.'),
    path.replace(/\/[^/]*$/, '/..'),
    path.replace(/\/[^/]*$/, '/%2e'),
    path.replace(/\/[^/]*$/, '/..%2f..%2f'),
    `${path}%00`,
    `${path}%`,
    `${path}%c0%af`,
    `${path};a=b`,
    `${path}#%zz`,
    `${path}/x#%zz`,
    `${path}.json`,
    path.slice(0, -1),
    `${path}/x`,
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ];
  return fc.constantFrom(...changed).map((each) => (query === '' ? each : `${each}?${query}`));
}

function lengthen(target: string, length: number): string {
  const padded = `${target}${target.includes('?') ? '&' : '?'}x=`;
  return padded + 'a'.repeat(Math.max(0, length - padded.length));
}
