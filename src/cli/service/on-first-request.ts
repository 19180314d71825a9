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
    ofJobs: watched(exits.ofJobs),
    serving: (country) => exits.serving(country).map(watched),
    byId: (id) => watched(exits.byId(id)),
  };
}
