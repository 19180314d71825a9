import type { Exit, Exits } from '../../egress/exits.ts';

/** Returns the same exits, and calls `onRequest` once, after the first request through any of them. */
export function onFirstRequest(exits: Exits, onRequest: () => void): Exits {
  let sent = false;
  const watchExit = (exit: Exit): Exit => ({
    ...exit,
    exchange(request, receive) {
      const exchange = exit.exchange(request, receive);
      if (!sent) {
        sent = true;
        onRequest();
      }
      return exchange;
    },
  });
  return {
    ...exits,
    forJobs: watchExit(exits.forJobs),
    forCountry: (country) => exits.forCountry(country).map(watchExit),
    byId: (id) => watchExit(exits.byId(id)),
  };
}
