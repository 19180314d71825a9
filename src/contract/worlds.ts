import { MillraceError } from './errors.ts';

/**
 * What the requests of live keys and of test keys use. The first reach the internet, the second the lab. Only a
 * caller's account, a link or a job says which of the two applies, so nothing of one world is used for the other.
 */
export interface Worlds<W> {
  readonly live: W;
  /** Absent without the lab (`LAB=off`). */
  readonly test?: W | undefined;
}

/**
 * Returns what a live or a test key uses.
 *
 * @throws MillraceError `service_unavailable` for a test key without the lab.
 */
export function worldFor<W>({ live, test }: Worlds<W>, isTest: boolean): W {
  if (!isTest) return live;
  if (test !== undefined) return test;
  const message =
    'Test keys need the lab, which is off on this service. Use a live key, or ask the operator to set LAB=on.';
  throw new MillraceError('service_unavailable', message);
}

/** Creates something for each world that exists. */
export function mapWorlds<W, Mapped>({ live, test }: Worlds<W>, create: (world: W) => Mapped): Worlds<Mapped> {
  return { live: create(live), ...(test === undefined ? {} : { test: create(test) }) };
}
