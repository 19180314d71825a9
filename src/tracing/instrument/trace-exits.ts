import { parseUrl } from '../../contract/parse-url.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Exits } from '../../egress/exits.ts';
import type { Tracer } from '../tracer.ts';

/** Wraps exits so that each request has a span. It states the host only, and nothing is added to the request. */
export function traceExits(exits: Exits, tracer: Tracer): Exits {
  if (!tracer.isOn) return exits;
  return {
    ...exits,
    forJobs: traceEgress(exits.forJobs, tracer),
    forCountry: (country) => exits.forCountry(country).map((exit) => traceEgress(exit, tracer)),
    byId: (id) => traceEgress(exits.byId(id), tracer),
  };
}

function traceEgress<E extends Egress>(egress: E, tracer: Tracer): E {
  return {
    ...egress,
    exchange(request, receive) {
      const { url, method = 'GET' } = request;
      const attributes = { 'http.request.method': method, 'server.address': parseUrl(url)?.hostname };
      const send = async () => {
        const head = await egress.exchange(request, receive);
        tracer.annotate({ 'http.response.status_code': head.status });
        return head;
      };
      return tracer.span(method, attributes, send, 'client');
    },
  };
}
