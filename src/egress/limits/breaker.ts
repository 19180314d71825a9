import { MillraceError } from '../../contract/errors.ts';
import { type BreakerRules, maxRequests } from './breaker-rules.ts';

/** Length of the window in milliseconds. Older outcomes do not count. */
const WINDOW_MS = 60_000;
/** Maximum pause; each failed probe doubles the pause. */
const MAX_PAUSE_MS = 5 * 60_000;

/** A circuit: `open` denies every request, `half_open` permits one as a probe. */
export interface CircuitState {
  readonly platform: string;
  readonly exit: string;
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
  /** Whether a request would be permitted now. */
  permits(platform: string, exit: string): boolean;
  /**
   * Permits a request.
   *
   * @param subject What is requested. Repeated requests count once, because a failure of one video shows nothing about
   * the source.
   * @throws MillraceError with the code of the latest failure while the circuit is open; its detail has `tryAgainAt`.
   */
  acquire(platform: string, exit: string, subject: string): BreakerPermit;
  /** Returns the circuits that have had requests. */
  states(): readonly CircuitState[];
}

interface Circuit {
  readonly platform: string;
  readonly exit: string;
  /** Outcomes of the latest requests by subject, oldest first. */
  readonly outcomes: Map<string, { readonly at: number; readonly failed: boolean }>;
  since: number;
  /** Set unless the circuit is closed. */
  openState?: OpenState;
}

interface OpenState {
  readonly failure: MillraceError;
  /** Milliseconds. */
  readonly pause: number;
  readonly until: number;
  probing: boolean;
}

/**
 * Creates breakers whose circuits are all closed.
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
    const circuit = circuits.get(key) ?? { platform, exit, outcomes: new Map(), since: now() };
    circuits.set(key, circuit);
    return circuit;
  };
  const canPass = ({ openState }: Circuit) =>
    openState === undefined || (openState.until <= now() && !openState.probing);

  const record = (circuit: Circuit, subject: string, outcome: MillraceError | 'answered') => {
    const { outcomes } = circuit;
    outcomes.delete(subject);
    outcomes.set(subject, { at: now(), failed: outcome !== 'answered' });
    for (const [old, { at }] of outcomes) {
      if (at > now() - WINDOW_MS && outcomes.size <= maxRequests) break;
      outcomes.delete(old);
    }
    if (outcome === 'answered') return;
    const failed = [...outcomes.values()].filter((one) => one.failed).length;
    if (outcomes.size >= rules.requests && failed * 100 >= outcomes.size * rules.failurePercentage) {
      open(circuit, outcome, rules.pause * 1000);
    }
  };

  const open = (circuit: Circuit, failure: MillraceError, pause: number) => {
    circuit.openState = { failure, pause, until: now() + pause, probing: false };
    circuit.since = now();
  };

  /** Permits one request through an open circuit. Its outcome closes the circuit or keeps it open. */
  const probe = (circuit: Circuit, openState: OpenState): BreakerPermit => {
    openState.probing = true;
    return {
      end(outcome) {
        openState.probing = false;
        if (outcome === 'unknown') return;
        if (outcome !== 'answered') {
          open(circuit, outcome, Math.min(2 * openState.pause, MAX_PAUSE_MS));
          return;
        }
        delete circuit.openState;
        circuit.outcomes.clear();
        circuit.since = now();
      },
    };
  };

  return {
    permits(platform, exit) {
      const circuit = circuits.get(`${platform} ${exit}`);
      return circuit === undefined || canPass(circuit);
    },
    acquire(platform, exit, subject) {
      const circuit = circuitOf(platform, exit);
      const { openState } = circuit;
      if (openState === undefined) {
        return {
          end(outcome) {
            // Requests that were running when the circuit opened do not count.
            if (outcome !== 'unknown' && circuit.openState === undefined) record(circuit, subject, outcome);
          },
        };
      }
      if (canPass(circuit)) return probe(circuit, openState);
      throw circuitOpen(circuit, openState, new Date(Math.max(openState.until, now() + 1000)));
    },
    states: () =>
      [...circuits.values()].map(({ platform, exit, openState, since }) => {
        if (openState === undefined) return { platform, exit, state: 'closed', since: new Date(since) };
        if (openState.until > now()) return { platform, exit, state: 'open', since: new Date(since) };
        return { platform, exit, state: 'half_open', since: new Date(openState.until) };
      }),
  };
}

function circuitOpen({ platform, exit }: Circuit, { failure }: OpenState, until: Date): MillraceError {
  const through = exit === 'direct' ? '' : ` through exit ${exit}`;
  const at = until.toISOString();
  const message =
    `Most requests to ${platform}${through} are failing, so they are paused until ${at}; try again then. ` +
    `Latest failure: ${failure.message}`;
  return new MillraceError(failure.code, message, { cause: failure, detail: { tryAgainAt: at } });
}
