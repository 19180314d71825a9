import type { Exit, Exits } from '../../egress/exits.ts';

/** Returns the same exits, and calls `then` once, when the first request is handed to one of them. */
export function onFirstRequest(exits: Exits, then: () => void): Exits {
  let sent = false;
  const watched = (exit: Exit): Exit => ({
    ...exit,
    exchange(request, receive) {
      const exchange = exit.exchange(request, receive);
      if (!sent) {
        sent = true;
        then();
      }
      return exchange;
    },
  });
  return {
    ...exits,
    forJobs: watched(exits.forJobs),
    forCountry: (country) => exits.forCountry(country).map(watched),
    byId: (id) => watched(exits.byId(id)),
  };
}
