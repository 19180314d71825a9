import { MillraceError } from '../contract/errors.ts';
import { type BreakerRules, mostRequests } from './breaker-rules.ts';

/** Outcomes older than this say nothing of the present. */
const WINDOW_MS = 60_000;
/** Each try that fails doubles the pause, up to this. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/** A circuit: `open` lets nothing through, `half_open` one request to see whether it is answered. */
export interface CircuitState {
  readonly platform: string;
  readonly exit: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** Since when it is in this state. */
  readonly since: Date;
}

/** A request that was let through. */
export interface Passage {
  /**
   * Ends it, with the failure that shows that the source is down or blocks us; `answered` when it is there, whatever it
   * answered; `unknown` when nothing was learnt.
   */
  end(outcome: MillraceError | 'answered' | 'unknown'): void;
}

/** Circuit breakers, one for each platform and exit: a source that is down, or blocks us, is left alone for a while. */
export interface Breaker {
  /** Whether a request would be let through now. */
  permits(platform: string, exit: string): boolean;
  /**
   * Lets a request through.
   *
   * @param subject What is asked for. The same asked again and again counts once: what is wrong with one video says
   *   nothing of the source.
   * @throws MillraceError with the code of the latest failure, when the source is left alone; `tryAgainAt` in its detail.
   */
  enter(platform: string, exit: string, subject: string): Passage;
  /** Every circuit that requests went through. */
  states(): readonly CircuitState[];
}

interface Circuit {
  readonly platform: string;
  readonly exit: string;
  /** What came of the latest requests, by subject, the oldest first. */
  readonly outcomes: Map<string, { readonly at: number; readonly failed: boolean }>;
  since: number;
  /** Set while it is not closed. */
  opened?: Opened;
}

interface Opened {
  readonly failure: MillraceError;
  /** Milliseconds. */
  readonly pause: number;
  readonly until: number;
  probing: boolean;
}

/**
 * Makes breakers that are all closed.
 *
 * @param rules None: they stay closed.
 */
export function createBreaker(rules: BreakerRules | undefined, now: () => number = Date.now): Breaker {
  if (rules === undefined) {
    return { permits: () => true, enter: () => ({ end: () => undefined }), states: () => [] };
  }
  const circuits = new Map<string, Circuit>();
  const circuitOf = (platform: string, exit: string): Circuit => {
    const key = `${platform} ${exit}`;
    const circuit = circuits.get(key) ?? { platform, exit, outcomes: new Map(), since: now() };
    circuits.set(key, circuit);
    return circuit;
  };
  const permits = ({ opened }: Circuit) => opened === undefined || (opened.until <= now() && !opened.probing);

  const note = (circuit: Circuit, subject: string, outcome: MillraceError | 'answered') => {
    const { outcomes } = circuit;
    outcomes.delete(subject);
    outcomes.set(subject, { at: now(), failed: outcome !== 'answered' });
    for (const [old, { at }] of outcomes) {
      if (at > now() - WINDOW_MS && outcomes.size <= mostRequests) break;
      outcomes.delete(old);
    }
    if (outcome === 'answered') return;
    const failed = [...outcomes.values()].filter((one) => one.failed).length;
    if (outcomes.size >= rules.requests && failed * 100 >= outcomes.size * rules.share) {
      open(circuit, outcome, rules.pause * 1000);
    }
  };

  const open = (circuit: Circuit, failure: MillraceError, pause: number) => {
    circuit.opened = { failure, pause, until: now() + pause, probing: false };
    circuit.since = now();
  };

  /** Lets one request through an open circuit, whose outcome decides. */
  const probe = (circuit: Circuit, opened: Opened): Passage => {
    opened.probing = true;
    return {
      end(outcome) {
        opened.probing = false;
        if (outcome === 'unknown') return;
        if (outcome !== 'answered') {
          open(circuit, outcome, Math.min(2 * opened.pause, LONGEST_PAUSE_MS));
          return;
        }
        delete circuit.opened;
        circuit.outcomes.clear();
        circuit.since = now();
      },
    };
  };

  return {
    permits(platform, exit) {
      const circuit = circuits.get(`${platform} ${exit}`);
      return circuit === undefined || permits(circuit);
    },
    enter(platform, exit, subject) {
      const circuit = circuitOf(platform, exit);
      const { opened } = circuit;
      if (opened === undefined) {
        return {
          end(outcome) {
            // What was still under way when the circuit opened tells nothing new.
            if (outcome !== 'unknown' && circuit.opened === undefined) note(circuit, subject, outcome);
          },
        };
      }
      if (permits(circuit)) return probe(circuit, opened);
      throw leftAlone(circuit, opened, new Date(Math.max(opened.until, now() + 1000)));
    },
    states: () =>
      [...circuits.values()].map(({ platform, exit, opened, since }) => {
        if (opened === undefined) return { platform, exit, state: 'closed', since: new Date(since) };
        if (opened.until > now()) return { platform, exit, state: 'open', since: new Date(since) };
        return { platform, exit, state: 'half_open', since: new Date(opened.until) };
      }),
  };
}

function leftAlone({ platform, exit }: Circuit, { failure }: Opened, until: Date): MillraceError {
  const through = exit === 'direct' ? '' : ` through the exit ${exit}`;
  const at = until.toISOString();
  const message =
    `Most requests to ${platform}${through} fail at present, so it is left alone until ${at}. Try again then. ` +
    `The latest failure: ${failure.message}`;
  return new MillraceError(failure.code, message, { cause: failure, detail: { tryAgainAt: at } });
}
