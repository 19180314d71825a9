import { dig, fields } from '../../../parsing/values.ts';

/**
 * A member of the site's data by its name in the JSON interface (`origin_pinner`), or by the name that pages give it
 * (`originPinner`); undefined where it is null, since the one says null where the other leaves out.
 */
export function member(node: unknown, ...path: readonly string[]): unknown {
  let inner = node;
  for (const name of path) inner = dig(inner, name) ?? dig(inner, camelCase(name)) ?? undefined;
  return inner;
}

/** Whether a node has a member, be it null. */
export function hasMember(node: unknown, name: string): boolean {
  return Object.hasOwn(fields(node), name) || Object.hasOwn(fields(node), camelCase(name));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
