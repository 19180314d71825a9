import Type from 'typebox';
import { errorCatalogue } from '../../contract/errors.ts';
import type { CircuitState } from '../../egress/limits/breaker.ts';
import { percentilesOf } from './latencies.ts';
import { type Interval, type Outcome, sumTallies } from './sliding-window.ts';
import { failuresOf, isFailure, requestsOf, type SourceHealth, type Traffic } from './source-health.ts';

const countsSchema = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

/** Extractions of a period, as in the body of `/status`. */
const figuresSchema = Type.Object({
  requests: Type.Integer({ description: 'Number of requests to the platform. Cached results do not count.' }),
  successes: Type.Integer(),
  refusals: countsSchema('Permanent refusals of the requested content, such as not_found, by code.'),
  failures: countsSchema('Failures caused by the platform, by code.'),
  faults: countsSchema('Failures inside the service, by code.'),
  failureRate: Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of the requests that are failures.' }),
  latency: Type.Union([Type.Object({ p50: Type.Number(), p90: Type.Number(), p99: Type.Number() }), Type.Null()], {
    description:
      'Request duration in milliseconds by percentile, overestimated by at most 15 %; null if there were no requests.',
  }),
});

const windows = {
  last15Minutes: figuresSchema,
  last24Hours: figuresSchema,
};

/** Circuit breakers of a platform, one for each exit. */
const breakerSchema = Type.Object({
  exit: Type.String({ description: 'ID of the exit, such as direct or fr-1.' }),
  state: Type.Enum(['closed', 'open', 'half_open'], {
    description: 'open: no requests are sent to the platform through this exit.',
  }),
  since: Type.String({ format: 'date-time' }),
});

/** The body of `/status`. */
export const statusSchema = Type.Object({
  at: Type.String({ format: 'date-time' }),
  since: Type.String({
    format: 'date-time',
    description: 'Start time of the service. Older requests are not counted.',
  }),
  platforms: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the platform, such as p1.' }),
      note: Type.Optional(
        Type.String({ description: 'Present if the platform fails often: how often, and since when.' }),
      ),
      ...windows,
      endpoints: Type.Array(Type.Object({ path: Type.String(), ...windows })),
      breakers: Type.Array(breakerSchema),
    }),
  ),
});

/** The body of `/status`. */
export type Status = Type.Static<typeof statusSchema>;

/** Returns the current health of the platforms. */
export function statusOf(health: SourceHealth, since: number, circuits: readonly CircuitState[]): Status {
  const breakersOf = (id: string) =>
    circuits
      .filter(({ platform }) => platform === id)
      .map(({ exit, state, since }) => ({ exit, state, since: since.toISOString() }));
  return {
    at: new Date().toISOString(),
    since: new Date(since).toISOString(),
    platforms: [...health.traffic].map(([id, traffic]) => {
      const note = health.note(id);
      return {
        id,
        ...(note === undefined ? {} : { note }),
        ...windowsOf(traffic),
        endpoints: [...traffic.endpoints].map(([path, each]) => ({ path: `/${id}/v3${path}`, ...windowsOf(each) })),
        breakers: breakersOf(id),
      };
    }),
  };
}

function windowsOf({ recent, day }: Traffic): { [name in keyof typeof windows]: Figures } {
  return { last15Minutes: figuresOf(recent.intervals()), last24Hours: figuresOf(day.intervals()) };
}

type Figures = Type.Static<typeof figuresSchema>;

function figuresOf(intervals: readonly Interval[]): Figures {
  const tally = sumTallies(intervals);
  const requests = requestsOf(tally);
  const counts = (group: (outcome: Outcome) => boolean) =>
    Object.fromEntries([...tally.outcomes].filter(([outcome]) => group(outcome)));
  const isFault = (outcome: Outcome) => outcome !== 'success' && errorCatalogue[outcome].origin !== 'source';
  return {
    requests,
    successes: tally.outcomes.get('success') ?? 0,
    refusals: counts((outcome) => outcome !== 'success' && !isFailure(outcome) && !isFault(outcome)),
    failures: counts(isFailure),
    faults: counts(isFault),
    failureRate: requests === 0 ? 0 : Math.round((1_000 * failuresOf(tally)) / requests) / 1_000,
    latency: percentilesOf(tally.latencies) ?? null,
  };
}
