import { parseUrl } from '../../../../src/contract/parse-url.ts';
import { isObject } from './error-response.ts';
import { responseShapes } from './response-shapes.ts';
import type { Shape } from './shape.ts';

/** Names of the shapes of whole responses. */
export type ShapeName = keyof typeof responseShapes;

/** Maximum depth of a response. The deepest of the service have about 15 levels. */
const MAX_DEPTH = 100;

/** Maximum characters of a value that a fault quotes. */
const QUOTE_LENGTH = 60;

/** The kinds of values, each with its name in a fault. */
const valueKinds = {
  text: { name: 'text', accepts: (value: unknown) => typeof value === 'string' },
  url: { name: 'an http or https URL', accepts: isWebUrl },
  flag: { name: 'true or false', accepts: (value: unknown) => typeof value === 'boolean' },
  number: { name: 'a number', accepts: Number.isFinite },
  amount: { name: 'a number from 0', accepts: isAmount },
  count: { name: 'a whole number from 0', accepts: (value: unknown) => Number.isInteger(value) && isAmount(value) },
  percent: { name: 'a number from 0 to 100', accepts: (value: unknown) => isAmount(value) && value <= 100 },
  object: { name: 'an object', accepts: isObject },
  any: { name: 'anything', accepts: () => true },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly accepts: (value: unknown) => boolean }>>;

/** The name of a kind of values. */
type ValueKind = keyof typeof valueKinds;

/**
 * Returns the first fault of a response, such as `output.size is missing`; undefined if it has none.
 */
export function faultOfResponse(value: unknown, name: ShapeName | undefined): string | undefined {
  return depthFault(value) ?? (name === undefined ? undefined : faultOf(value, name, ''));
}

function faultOf(value: unknown, shape: Shape, path: string): string | undefined {
  if (typeof shape === 'string') {
    if (!isValueKind(shape)) return faultOf(value, responseShapes[shape as ShapeName], path);
    const { name, accepts } = valueKinds[shape];
    return accepts(value) ? undefined : faultText(path, name, value);
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return faultText(path, 'a list', value);
    return firstFault(value.entries(), ([index, item]) => faultOf(item, shape[0], pathTo(path, `${index}`)));
  }
  if (!isObject(value)) return faultText(path, 'an object', value);
  return firstFault(Object.entries(shape), ([key, member]) => {
    const [name = '', ...marks] = key.split(/(?=[|!])/);
    const at = pathTo(path, name);
    if (!Object.hasOwn(value, name)) return marks.includes('!') ? `${at} is missing` : undefined;
    if (value[name] === null && marks.includes('|null')) return undefined;
    return faultOf(value[name], member, at);
  });
}

/** Reports nesting that would exhaust the stack of whatever reads the response, also in members that no shape names. */
function depthFault(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.flatMap((parent) => (typeof parent === 'object' && parent !== null ? Object.values(parent) : []));
    if (level.length === 0) return undefined;
  }
  return `it has more than ${MAX_DEPTH} levels`;
}

function firstFault<Entry>(entries: Iterable<Entry>, check: (entry: Entry) => string | undefined): string | undefined {
  for (const entry of entries) {
    const fault = check(entry);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultText(path: string, kind: string, value: unknown): string {
  return `${path === '' ? 'it' : path} is not ${kind} but ${quote(value)}`;
}

function quote(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH)}…` : text;
}

function pathTo(path: string, step: string): string {
  return path === '' ? step : `${path}.${step}`;
}

function isValueKind(name: string): name is ValueKind {
  return Object.hasOwn(valueKinds, name);
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isAmount(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && parseUrl(value) !== null;
}
