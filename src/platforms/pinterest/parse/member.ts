import { dig, fields } from '../../../parsing/values.ts';

/**
 * Returns a member by its name in the JSON interface (`origin_pinner`) or in pages (`originPinner`). Returns undefined
 * if it is null, because one format has null where the other omits the member.
 */
export function member(node: unknown, ...path: readonly string[]): unknown {
  let inner = node;
  for (const name of path) inner = dig(inner, name) ?? dig(inner, camelCase(name)) ?? undefined;
  return inner;
}

/** Returns whether a node has a member, even if it is null. */
export function hasMember(node: unknown, name: string): boolean {
  return Object.hasOwn(fields(node), name) || Object.hasOwn(fields(node), camelCase(name));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
