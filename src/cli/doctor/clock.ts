import { openExits } from '../../egress/exits.ts';
import { direct } from '../../egress/proxies/proxy-server.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

/** Sealed links and signatures of stores are refused when clocks are further apart. */
const MAX_SKEW_MS = 60_000;

const { fine, note, wrong } = findingsOf('clock');

/** What a difference between this clock and another means; `took` is how long asking it took. */
export function skewFinding(otherClock: string, difference: number, roundTrip: number): Finding {
  const skew = Math.max(0, Math.abs(difference) - roundTrip);
  if (skew <= MAX_SKEW_MS) return fine(`agrees with that of ${otherClock}`);
  const direction = difference > 0 ? 'behind' : 'ahead of';
  return wrong(
    `is ${Math.round(skew / 1000)} s ${direction} that of ${otherClock}`,
    'Set the clock by NTP: links that expire and signed addresses go by it.',
  );
}

/** Whether this machine's clock is right, by what a web server of the outside world says. */
export const checkClock: Check = async (config, signal) => {
  const exits = openExits(config);
  try {
    const before = Date.now();
    const url = 'https://www.dailymotion.com/robots.txt';
    const response = await exits.byId(direct).exchange({ url, signal, headTimeout: 10_000 }, () => undefined);
    const serverTime = Date.parse(String(response.headers.date));
    if (Number.isNaN(serverTime))
      return [note('could not be compared: no Date came', 'See that this machine uses NTP.')];
    // The header has whole seconds.
    return [skewFinding('the outside world', serverTime + 500 - before, Date.now() - before + 1000)];
  } catch {
    // Why is told by the check of the way out.
    return [note('could not be compared: nothing outside answers', 'See that this machine uses NTP.')];
  } finally {
    await exits.close();
  }
};
