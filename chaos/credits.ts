import { setTimeout as delay } from 'node:timers/promises';
import type { AdminKey, MonthUsage } from '../test/support/admin.ts';
import type { Result } from '../test/support/envelope.ts';
import { fetchJson } from '../test/support/http-client.ts';
import { keys } from '../test/support/processes.ts';
import { isConnectionError } from './tracked-job.ts';
import { waitUntil } from './wait-until.ts';
import type { World } from './world.ts';

const PAUSE_MS = 1_000;
const RESPONSE_TIMEOUT_MS = 40_000;
/** Price of the most expensive request. */
const HIGHEST_PRICE = 1;
/**
 * Seconds to wait for holds. They expire after two minutes and are released within another half minute
 * (docs/reference/plans-and-credits.md).
 */
const HOLDS_TIMEOUT_S = 160;

/** Results of the extraction requests, and the credits in the ledger. */
export interface CreditReport {
  /** Sum of the prices that responses reported. */
  readonly charged: number;
  /** Requests without a response, or with a 5xx response. */
  readonly unanswered: number;
  /** Requests that were refused because the quota was used up. */
  readonly refused: number;
  /** Credits in the ledger. */
  readonly ledger: number;
  readonly violations: readonly string[];
}

/** Extraction requests that are sent while faults are injected. */
interface CreditLoad {
  /**
   * Ends the requests, and compares the ledger with the responses. With `wait`, it waits for holds to expire if the two
   * differ.
   */
  settle(wait: boolean): Promise<CreditReport>;
}

/** Starts sending requests, one after the other, with a key of the plan BASIC that has `quota` credits. */
export function startCreditLoad(world: World, quota: number): CreditLoad {
  const stopping = new AbortController();
  const violations: string[] = [];
  let charged = 0;
  let unanswered = 0;
  let refused = 0;

  async function request(number: number): Promise<void> {
    // Every second request bypasses the cache and creates a hold. The others pay for a cached response immediately.
    const cacheControl = number % 2 === 0 ? 'no-cache' : 'max-age=60';
    const { status, body } = await fetchJson<Result>(`${world.url}/p5/v3/video/details?videoId=xlab2`, {
      headers: { 'x-marketplace-key': keys.BASIC, 'x-marketplace-host': 'api.example', 'cache-control': cacheControl },
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const [, price] = /cost (\d+) credit/.exec(body.notes?.join(' ') ?? '') ?? [];
    if (status === 200 && price !== undefined) charged += Number(price);
    else if (status === 429) refused += 1;
    else if (status >= 500) unanswered += 1;
    else violations.push(`an extraction request got the response ${status} ${JSON.stringify(body).slice(0, 200)}`);
  }

  async function load(): Promise<void> {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      try {
        await request(number);
      } catch (error) {
        if (!isConnectionError(error)) violations.push(error instanceof Error ? error.message : String(error));
        unanswered += 1;
      }
      await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = load();

  async function fetchLedger(): Promise<number> {
    const { body } = await fetchJson<{ keys: (AdminKey & { usage: MonthUsage })[] }>(`${world.admin.url}/admin/keys`, {
      headers: { authorization: `Bearer ${world.admin.token}` },
    });
    return body.keys.find(({ kind, plan }) => kind === 'extraction' && plan === 'BASIC')?.usage.credits ?? 0;
  }

  return {
    async settle(wait) {
      stopping.abort();
      await running;
      // A request without a response may have been charged or not. All others are charged exactly what their response
      // reported.
      const fits = (ledger: number) => ledger >= charged && ledger <= charged + unanswered * HIGHEST_PRICE;
      let ledger = await fetchLedger();
      await waitUntil(
        async () => {
          ledger = await fetchLedger();
          return fits(ledger);
        },
        wait ? HOLDS_TIMEOUT_S : 5,
        1_000,
      );
      if (!fits(ledger)) {
        violations.push(
          `the ledger has ${ledger} credits; responses reported ${charged}, and ${unanswered} requests got no response`,
        );
      }
      const most = Math.max(charged, ledger);
      if (most > quota) violations.push(`${most} credits were charged, with a quota of ${quota}`);
      return { charged, unanswered, refused, ledger, violations };
    },
  };
}
