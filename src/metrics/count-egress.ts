import type { Egress } from '../egress/egress.ts';
import type { Exits } from '../egress/exits.ts';
import type { EgressClass, Metrics } from './metrics.ts';

/** The same way out; what one part of the service asks of it is counted. */
export function countEgress<Way extends Egress>(egress: Way, kind: EgressClass, metrics: Metrics): Way {
  return {
    ...egress,
    async exchange(request, receive) {
      let bytes = 0;
      try {
        const head = await egress.exchange(request, (answer) => {
          const sink = receive(answer);
          if (sink === undefined) return undefined;
          return {
            write(chunk) {
              bytes += chunk.length;
              return sink.write(chunk);
            },
          };
        });
        metrics.egress(kind, classOf(head.status), bytes);
        return head;
      } catch (error) {
        metrics.egress(kind, 'error', bytes);
        throw error;
      }
    },
  };
}

/** The same exits, each of them counted. */
export function countExits(exits: Exits, kind: EgressClass, metrics: Metrics): Exits {
  return {
    ...exits,
    ofJobs: countEgress(exits.ofJobs, kind, metrics),
    serving: (country) => exits.serving(country).map((exit) => countEgress(exit, kind, metrics)),
    byId: (id) => countEgress(exits.byId(id), kind, metrics),
  };
}

function classOf(status: number): '2xx' | '3xx' | '4xx' | '5xx' {
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
