import { seededRandom } from '../../testing/seeded-random.ts';

/** A member name, the name of a type (`"type":"…"`, `"__typename":"…"`), or the name of a playlist's tag or attribute. */
const name =
  /"([\w.-]{2,60})"(?=\s*:)|(?<="(?:type|__typename)"\s*:\s*")([\w/.-]{2,60})(?=")|^#(EXT-[\w-]+)|([A-Z-]{4,40})(?==)/gm;

/** Returns the names in a response that a site can change: of its members, and of its types of entries. */
export function namesIn(response: string): readonly string[] {
  const names = [...response.matchAll(name)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '');
  return [...new Set(names)];
}

/** Renames names everywhere in a response, as a site does that moves to a new version of its interface. */
export function renamed(response: string, names: ReadonlySet<string>): string {
  return response.replace(name, (match) => {
    const bare = match.replace(/["#]/g, '');
    return names.has(bare) ? match.replace(bare, `${bare}New`) : match;
  });
}

/** Returns some of a response's names, each with the given probability. */
export function someNames(response: string, probability: number, seed: number): ReadonlySet<string> {
  const random = seededRandom(seed);
  return new Set(namesIn(response).filter(() => random() < probability));
}
