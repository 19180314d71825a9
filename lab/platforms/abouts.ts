/** Returns the description of each name in a table. */
export function abouts(table: Readonly<Record<string, { readonly about: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([name, { about }]) => [name, about]));
}
