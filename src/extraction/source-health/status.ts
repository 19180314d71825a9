import Type from 'typebox';
import { endpointPath } from '../../contract/endpoint-path.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import type { Interval } from '../../counting/sliding-window.ts';
import type { CircuitState } from '../../egress/limits/breaker.ts';
import type { MediaHealth } from '../../media-health/media-health.ts';
import { driftOf } from './drift.ts';
import { type Outcome, sumTallies, type Tally } from './extraction-tally.ts';
import { failuresOf, frequentFailures, isFailure, requestsOf } from './failures.ts';
import { percentilesOf } from './latencies.ts';
import { mediaStatusOf, mediaStatusSchema } from './media-status.ts';
import type { SourceHealth } from './source-health.ts';
import type { Traffic } from './traffic.ts';

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

const driftSchema = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'When the first of these responses arrived, to 15 minutes.',
    }),
    responses: Type.Integer({ description: 'Number of responses with entries that Millrace could not read.' }),
    kinds: countsSchema(
      "Number of these entries by kind. A kind is the site's own name, other, or response: a whole response, which may " +
        'also be damaged.',
    ),
  },
  {
    description:
      'Present if the platform seems to have changed: 3 or more responses of the last 15 minutes have entries that ' +
      'Millrace could not read, or 5 % of at least 20 responses. Entries of the kind response count only if they are ' +
      'at least 5 % of the responses.',
  },
);

/** The health of a platform or an endpoint. */
const healthSchema = {
  state: Type.Enum(['ok', 'drifting', 'failing'], {
    description:
      'drifting: see drift; the responses are incomplete. failing: 20 % of at least 10 requests of the last 15 ' +
      'minutes are failures.',
  }),
  drift: Type.Optional(driftSchema),
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
      ...healthSchema,
      endpoints: Type.Array(Type.Object({ path: Type.String(), ...healthSchema })),
      breakers: Type.Array(breakerSchema),
      media: Type.Array(mediaStatusSchema, {
        description: 'How media arrives, by client profile and exit, if any was fetched in the last 24 hours.',
      }),
    }),
  ),
});

/** The body of `/status`. */
export type Status = Type.Static<typeof statusSchema>;

/** Returns the current health of the platforms. */
export function statusOf(
  health: SourceHealth,
  mediaHealth: Pick<MediaHealth, 'states'>,
  since: number,
  circuits: readonly CircuitState[],
): Status {
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
        ...healthOf(traffic),
        endpoints: [...traffic.endpoints].map(([path, each]) => ({ path: endpointPath(id, path), ...healthOf(each) })),
        breakers: breakersOf(id),
        media: mediaHealth.states(id).map(mediaStatusOf),
      };
    }),
  };
}

function healthOf(traffic: Traffic): Health {
  const drift = driftOf(traffic);
  const isFailing = frequentFailures(traffic) !== undefined;
  return {
    state: isFailing ? 'failing' : drift === undefined ? 'ok' : 'drifting',
    ...(drift === undefined ? {} : { drift: { ...drift, since: new Date(drift.since).toISOString() } }),
    last15Minutes: figuresOf(traffic.recent.intervals()),
    last24Hours: figuresOf(traffic.day.intervals()),
  };
}

type Health = Pick<Status['platforms'][number], keyof typeof healthSchema>;

type Figures = Type.Static<typeof figuresSchema>;

function figuresOf(intervals: readonly Interval<Tally>[]): Figures {
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
