import type { Journal, JournalRecord } from '../journal.ts';

/** Maximum number of client profiles that are recorded for an input. Each run of a job can use three. */
const MAX_PROFILES = 20;
const MAX_PROFILE_LENGTH = 200;

/** How the links of an input were used by all runs of its job. */
export interface LinkUse {
  /** Client profiles through whose links bytes have arrived, in the order of their first use. */
  readonly profiles: readonly string[];
  /** Number of times that the link was replaced because it no longer worked. */
  readonly replacedLinks: number;
}

/** Records how the links of a job are used. */
export interface LinkUses {
  /** The use of each input's links. */
  readonly inputs: readonly LinkUse[];
  /** Records that the first bytes have arrived through a link of a client profile. */
  bytesArrived(input: number, profile: string): void;
  /** Records that the link of an input was replaced. */
  linkReplaced(input: number): void;
}

/** Creates the record of a job with this number of inputs. A journal contains the record of earlier runs. */
export function createLinkUses(inputCount: number, journal?: Pick<Journal, 'records' | 'append'>): LinkUses {
  const inputs = Array.from({ length: inputCount }, () => ({ profiles: [] as string[], replacedLinks: 0 }));

  /** Adds a record, which an earlier run may have written. Returns whether it was valid and new. */
  function add([kind, index, profile]: JournalRecord): boolean {
    const use = typeof index === 'number' ? inputs[index] : undefined;
    if (use === undefined) return false;
    if (kind === 'replaced') use.replacedLinks += 1;
    else if (kind === 'profile' && isProfile(profile) && !use.profiles.includes(profile)) {
      if (use.profiles.length === MAX_PROFILES) return false;
      use.profiles.push(profile);
    } else return false;
    return true;
  }
  function record(entry: JournalRecord): void {
    if (add(entry)) journal?.append(entry);
  }

  for (const entry of journal?.records ?? []) add(entry);
  return {
    inputs,
    bytesArrived: (input, profile) => record(['profile', input, profile]),
    linkReplaced: (input) => record(['replaced', input]),
  };
}

function isProfile(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_PROFILE_LENGTH && !/\p{Cc}/u.test(value);
}
