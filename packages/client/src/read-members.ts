import { isObject } from './http/error-response.ts';

// The contract does not define the members that these functions read: any may be missing or have another type.

/** Returns the member at a path; undefined if it is missing. */
export function memberAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let member = value;
  for (const step of path) {
    if (typeof step === 'number') member = Array.isArray(member) ? member[step] : undefined;
    else member = isObject(member) ? member[step] : undefined;
  }
  return member;
}

/** Returns the text at a path; undefined if it is missing or blank. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const text = memberAt(value, ...path);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Returns the finite number at a path; undefined if it is missing. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const number = memberAt(value, ...path);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the list at a path; an empty list if it is missing. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = memberAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

/** Returns the members that are not undefined. */
export function defined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
