import { type Member, members } from './members.ts';

/** What a file of the corpus shows: its container, its clips, and what the files of its kind are for. */
export function traitsOf({ name, source, streams }: Member): string[] {
  const what = name.slice(name.indexOf(': ') + 2);
  return [`in ${source}`, what, ...streams.map(({ clip }) => clip)];
}

/**
 * A part of the corpus in which everything that the whole shows is shown once at least. Each file goes into every
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

/** The same files in an order that takes containers in turn, and is always the same. */
function mixed(all: readonly Member[]): Member[] {
  // Coprime with any count that is no multiple of it, so each place is visited once.
  const step = 7919;
  return all.map((_, at) => all[(at * step) % all.length]).filter((member) => member !== undefined);
}
