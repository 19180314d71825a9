import { type Member, members } from './members.ts';

/** What a corpus file covers: its container, its clips, and what is special about it. */
export function traitsOf({ name, source, streams }: Member): string[] {
  const what = name.slice(name.indexOf(': ') + 2);
  return [`in ${source}`, what, ...streams.map(({ clip }) => clip)];
}

/**
 * A part of the corpus that covers everything that the whole covers at least once. Each file goes into every
 * container of results, so every pair of a source's and a result's container is in it, too.
 */
export function selection(): Member[] {
  const shown = new Set<string>();
  return mixed(members).filter((member) => {
    const added = traitsOf(member).filter((trait) => !shown.has(trait));
    for (const trait of added) shown.add(trait);
    return added.length > 0;
  });
}

/** The same files in a fixed order that mixes the containers. */
function mixed(all: readonly Member[]): Member[] {
  // A prime, and so coprime with any count that is not a multiple of it: each place is visited once.
  const step = 7919;
  return all.map((_, at) => all[(at * step) % all.length]).filter((member) => member !== undefined);
}
