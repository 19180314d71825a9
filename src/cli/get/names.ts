import { parse } from 'node:path';
import { CommandError } from '../errors/command-errors.ts';
import { standardOutput } from './destination.ts';

/** The names that the files of a command have taken. */
export interface Names {
  /**
   * Returns the first of several lists of paths of which no path is taken, and takes its paths. Paths that differ only in
   * their extension or in case count as the same.
   *
   * @throws CommandError if a path of each list is taken.
   */
  claim(candidates: readonly (readonly string[])[]): readonly string[];
}

/** Creates an empty set of names. */
export function createNames(): Names {
  const taken = new Set<string>();
  return {
    claim(candidates) {
      const free = candidates.find((paths) => !paths.some((path) => path !== standardOutput && taken.has(keyOf(path))));
      if (free === undefined) {
        throw new CommandError(
          `Another file of this command is already named ${candidates[0]?.[0]}. Get this link with another command.`,
        );
      }
      for (const path of free) taken.add(keyOf(path));
      return free;
    },
  };
}

function keyOf(path: string): string {
  const { dir, name } = parse(path);
  // Some file systems treat letters of either case, or with marks in another form, as the same.
  return `${dir}/${name}`.normalize('NFKC').toUpperCase();
}
