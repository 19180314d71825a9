import type { Egress } from '../egress/egress.ts';
import type { Exits } from '../egress/exits.ts';
import type { EgressClass } from './egress-metrics.ts';
import type { Metrics } from './metrics.ts';
import { statusClassOf } from './status-class.ts';

/** Wraps an egress so that the requests of one part of the service are counted. */
export function instrumentEgress<E extends Egress>(egress: E, kind: EgressClass, metrics: Metrics): E {
  return {
    ...egress,
    async exchange(request, receive) {
      let bytes = 0;
      try {
        const head = await egress.exchange(request, (response) => {
          const sink = receive(response);
          if (sink === undefined) return undefined;
          return {
            write(chunk) {
              bytes += chunk.length;
              return sink.write(chunk);
            },
          };
        });
        metrics.egress(kind, statusClassOf(head.status), bytes);
        return head;
      } catch (error) {
        metrics.egress(kind, 'error', bytes);
        throw error;
      }
    },
  };
}

/** Wraps exits so that the requests through each of them are counted. */
export function instrumentExits(exits: Exits, kind: EgressClass, metrics: Metrics): Exits {
  return {
    ...exits,
    forJobs: instrumentEgress(exits.forJobs, kind, metrics),
    forCountry: (country) => exits.forCountry(country).map((exit) => instrumentEgress(exit, kind, metrics)),
    byId: (id) => instrumentEgress(exits.byId(id), kind, metrics),
  };
}
