import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { BreakerRules } from './breaker-rules.ts';
import { createFailureEvidence, everyone, type FailureEvidence, groupsOf } from './failure-evidence.ts';

/** Maximum pause; each failed probe doubles the pause. */
const MAX_PAUSE_MS = 5 * 60_000;

/** A circuit: `open` denies every request, `half_open` permits one as a probe. */
export interface CircuitState {
  readonly platform: string;
  readonly exit: string;
  /** `closed` also if it is open for some callers only, unless there are no others. */
  readonly state: 'closed' | 'open' | 'half_open';
  /** Start of the current state. */
  readonly since: Date;
}

/** The permit of one request. */
export interface BreakerPermit {
  /**
   * Reports the outcome: a failure that shows that the source is down or blocks us, `answered` for any response, or
   * `unknown` if the request shows nothing about the source.
   */
  end(outcome: MillraceError | 'answered' | 'unknown'): void;
}

/** Circuit breakers, one for each platform and exit: they pause requests to a source that is down or blocks us. */
export interface Breaker {
  /** Whether a request of a caller would be permitted now. */
  permits(platform: string, exit: string, caller: Caller): boolean;
  /**
   * Permits a request.
   *
   * @param subject What is requested. Repeated requests of a caller count once, because a failure of one video shows
   * nothing about the source.
   * @throws MillraceError with the code of the latest failure while the circuit is open; its detail has `tryAgainAt`.
   */
  acquire(platform: string, exit: string, caller: Caller, subject: string): BreakerPermit;
  /** Returns the circuits that have had requests. */
  states(): readonly CircuitState[];
}

interface Circuit {
  readonly platform: string;
  readonly exit: string;
  readonly evidence: FailureEvidence;
  /** By the group of callers that the circuit is open for. */
  readonly pauses: Map<string, Pause>;
  /** Time at which it was closed or first used. */
  since: number;
}

interface Pause {
  readonly failure: MillraceError;
  readonly since: number;
  readonly milliseconds: number;
  /** The member of the group whose probe has failed. */
  readonly prober?: string;
  probing: boolean;
}

/**
 * Creates breakers whose circuits are all closed. A circuit opens for the callers that the failures concern, by the rule
 * in `failure-evidence.ts`. The next probe comes from another caller than the failed one, unless none comes for as long
 * as the pause.
 *
 * @param rules Undefined: circuits stay closed.
 */
export function createBreaker(rules: BreakerRules | undefined, now: () => number = Date.now): Breaker {
  if (rules === undefined) {
    return { permits: () => true, acquire: () => ({ end: () => undefined }), states: () => [] };
  }
  const circuits = new Map<string, Circuit>();
  const circuitOf = (platform: string, exit: string): Circuit => {
    const key = `${platform} ${exit}`;
    const existing = circuits.get(key);
    if (existing !== undefined) return existing;
    const circuit = { platform, exit, evidence: createFailureEvidence(rules, now), pauses: new Map(), since: now() };
    circuits.set(key, circuit);
    return circuit;
  };

  /** Returns when a caller may probe, in milliseconds since 1970. */
  const probeTime = (group: string, pause: Pause, caller: Caller) => {
    const isRepeated = group !== caller.key && pause.prober === memberOf(group, caller);
    return pause.since + pause.milliseconds * (isRepeated ? 2 : 1);
  };

  const record = (circuit: Circuit, caller: Caller, subject: string, outcome: MillraceError | 'answered') => {
    const failed = outcome !== 'answered';
    for (const group of circuit.evidence.add(caller, subject, failed)) {
      if (failed) open(circuit, group, { failure: outcome, milliseconds: rules.pause * 1000 });
    }
  };

  const open = (circuit: Circuit, group: string, pause: Omit<Pause, 'since' | 'probing'>) => {
    circuit.pauses.set(group, { ...pause, since: now(), probing: false });
  };

  const close = (circuit: Circuit, group: string) => {
    if (group === everyone) circuit.pauses.clear();
    circuit.pauses.delete(group);
    circuit.evidence.forget(group);
    circuit.since = now();
  };

  /** Permits one request through an open circuit. Its outcome closes the circuit or keeps it open. */
  const probe = (circuit: Circuit, caller: Caller, pauses: readonly (readonly [string, Pause])[]): BreakerPermit => {
    for (const [, pause] of pauses) pause.probing = true;
    return {
      end(outcome) {
        for (const [group, pause] of pauses) {
          pause.probing = false;
          if (outcome === 'unknown') continue;
          const milliseconds = Math.min(2 * pause.milliseconds, MAX_PAUSE_MS);
          if (outcome === 'answered') close(circuit, group);
          else open(circuit, group, { failure: outcome, milliseconds, prober: memberOf(group, caller) });
        }
      },
    };
  };

  /** Returns the pause that denies a caller its request, and until when. */
  const denialOf = (pauses: readonly (readonly [string, Pause])[], caller: Caller) =>
    pauses
      .map(([group, pause]) => ({ pause, until: probeTime(group, pause, caller) }))
      .filter(({ pause, until }) => pause.probing || until > now())
      .toSorted((one, other) => other.until - one.until)[0];

  return {
    permits(platform, exit, caller) {
      const circuit = circuits.get(`${platform} ${exit}`);
      return circuit === undefined || denialOf(pausesFor(circuit, caller), caller) === undefined;
    },
    acquire(platform, exit, caller, subject) {
      const circuit = circuitOf(platform, exit);
      const pauses = pausesFor(circuit, caller);
      const denial = denialOf(pauses, caller);
      if (denial !== undefined) {
        throw circuitOpen(circuit, denial.pause, new Date(Math.max(denial.until, now() + 1000)));
      }
      if (pauses.length > 0) return probe(circuit, caller, pauses);
      return {
        end(outcome) {
          // Requests that were running when the circuit opened do not count.
          if (outcome === 'unknown' || pausesFor(circuit, caller).length > 0) return;
          record(circuit, caller, subject, outcome);
        },
      };
    },
    states: () =>
      [...circuits.values()].map(({ platform, exit, evidence, pauses, since }) => {
        const pause = pauses.get(everyone) ?? pauses.get(evidence.onlyAccount ?? everyone);
        if (pause === undefined) return { platform, exit, state: 'closed', since: new Date(since) };
        const until = pause.since + pause.milliseconds;
        if (until > now()) return { platform, exit, state: 'open', since: new Date(pause.since) };
        return { platform, exit, state: 'half_open', since: new Date(until) };
      }),
  };
}

/** Returns the pauses that concern a caller, with their groups. */
function pausesFor({ pauses }: Circuit, caller: Caller): readonly (readonly [string, Pause])[] {
  if (pauses.size === 0) return [];
  return groupsOf(caller).flatMap((group) => {
    const pause = pauses.get(group);
    return pause === undefined ? [] : [[group, pause] as const];
  });
}

/** Returns the member of a group that a caller is or belongs to. */
function memberOf(group: string, { account, key }: Caller): string {
  return group === everyone ? account : key;
}

function circuitOpen({ platform, exit }: Circuit, { failure }: Pause, until: Date): MillraceError {
  const through = exit === 'direct' ? '' : ` through exit ${exit}`;
  const at = until.toISOString();
  const message =
    `Most requests to ${platform}${through} are failing, so they are paused until ${at}; try again then. ` +
    `Latest failure: ${failure.message}`;
  return new MillraceError(failure.code, message, { cause: failure, detail: { tryAgainAt: at } });
}
