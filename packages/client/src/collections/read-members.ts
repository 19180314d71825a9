import { isObject } from '../http/error-response.ts';

/** Returns the member at a path, or undefined if there is none. */
function memberAt(value: unknown, path: readonly (string | number)[]): unknown {
  let member = value;
  for (const step of path) {
    if (typeof step === 'number') member = Array.isArray(member) ? member[step] : undefined;
    else member = isObject(member) ? member[step] : undefined;
  }
  return member;
}

/** Returns the text at a path, or undefined if there is none or it is empty. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const text = memberAt(value, path);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns the number at a path, or undefined if there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const number = memberAt(value, path);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the list at a path, or an empty list if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = memberAt(value, path);
  return Array.isArray(list) ? list : [];
}

/** Returns the members that are not undefined. */
export function defined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
