import { serviceCaller } from '../../contract/caller.ts';
import { openExits } from '../../egress/exits.ts';
import { direct } from '../../egress/proxies/proxy-server.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

/** Maximum difference between clocks: if it is larger, sealed links and signed requests to stores are refused. */
const MAX_SKEW_MS = 60_000;

const { fine, note, wrong } = findingsOf('clock');

/**
 * Returns the finding for a difference between this clock and another; `roundTrip` is the duration of the request that
 * read the other clock.
 */
export function skewFinding(otherClock: string, difference: number, roundTrip: number): Finding {
  const skew = Math.max(0, Math.abs(difference) - roundTrip);
  if (skew <= MAX_SKEW_MS) return fine(`agrees with the clock of ${otherClock}`);
  const direction = difference > 0 ? 'behind' : 'ahead of';
  return wrong(
    `is ${Math.round(skew / 1000)} s ${direction} the clock of ${otherClock}`,
    'Synchronise the clock by NTP: expiring links and signed addresses depend on it.',
  );
}

/** Checks this machine's clock against the Date header of a web server on the Internet. */
export const checkClock: Check = async (config, signal) => {
  const exits = openExits(config);
  try {
    const before = Date.now();
    const url = 'https://www.dailymotion.com/robots.txt';
    const request = { url, caller: serviceCaller, signal, headTimeout: 10_000 };
    const response = await exits.byId(direct).exchange(request, () => undefined);
    const serverTime = Date.parse(String(response.headers.date));
    if (Number.isNaN(serverTime))
      return [note('could not be compared: the response had no Date header', 'Make sure that this machine uses NTP.')];
    // The header states whole seconds: assume the middle of the second, and allow for another second of error.
    return [skewFinding('a web server', serverTime + 500 - before, Date.now() - before + 1000)];
  } catch {
    // The egress check reports the reason.
    return [note('could not be compared: no response from the Internet', 'Make sure that this machine uses NTP.')];
  } finally {
    await exits.close();
  }
};
