import type { Logger } from 'pino';
import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import { createBatcher } from './batcher.ts';
import { monthOf, secondsLeftInMonth } from './billing-month.ts';
import {
  ledgerStatements,
  type PaymentBatch,
  type PaymentResult,
  type ReservationBatch,
  type ReservationResult,
} from './ledger-statements.ts';
import { type Allowance, LimitError } from './limit-error.ts';

const SWEEP_INTERVAL_MS = 30_000;
const RETAINED_MONTHS = 13;
/** Seconds after which most of the requests that are running now have ended and released their credits. */
const RETRY_AFTER_S = 5;

/** The limits of an account's requests. */
export interface RequestLimits {
  /** Credits per calendar month. */
  readonly credits: number;
  /** Requests per second. */
  readonly perSecond: number;
}

/** Credits that are reserved for a request. */
export interface Reservation {
  /** The credits of the month, and how many of them remain. */
  readonly allowance: Allowance;
  /**
   * Charges the cost of the request, up to the reserved credits, and releases the rest. Resolves when that is
   * committed. Must be called once, whatever the outcome of the request.
   */
  settle(cost: number): Promise<Allowance>;
}

/** Charges accounts for their requests. Results are reported only after their commit, and no account overspends. */
export interface Ledger {
  /**
   * Admits a request, and reserves credits for it.
   *
   * @throws LimitError `rate_limited` or `quota_exceeded`; MillraceError `service_unavailable`.
   */
  reserve(account: string, limits: RequestLimits, credits: number): Promise<Reservation>;
  /**
   * Admits a request with a known price, and charges it.
   *
   * @throws LimitError `rate_limited` or `quota_exceeded`; MillraceError `service_unavailable`.
   */
  pay(account: string, limits: RequestLimits, price: number): Promise<Allowance>;
  close(): Promise<void>;
}

/** A reservation or settlement, until the next commit. */
interface LedgerEntry {
  readonly account: string;
  readonly month: string;
  readonly limits: RequestLimits;
  /** Credits to reserve; undefined for a settlement. */
  readonly reserve: number | undefined;
  /** For a settlement: the reserved credits and the cost. */
  readonly reservedCredits: number;
  readonly cost: number;
  readonly outcome: PromiseWithResolvers<Allowance>;
}

/** A payment at a known price, until the next commit. */
interface Payment {
  readonly account: string;
  readonly month: string;
  readonly limits: RequestLimits;
  readonly price: number;
  readonly outcome: PromiseWithResolvers<Allowance>;
}

/**
 * Opens the ledger of a database.
 *
 * @param exclusive Whether no other process has the database open, so that every existing reservation is lost.
 */
export async function openLedger(database: Database, exclusive: boolean, log: Logger): Promise<Ledger> {
  const statements = ledgerStatements(database);
  const reservations = createBatcher<LedgerEntry>(serve);
  const payments = createBatcher<Payment>(charge);
  /** Credits reserved for running requests, by month and account. */
  const reservedCredits = new Map<string, number>();
  await releaseLost(exclusive);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'a sweep of the ledger failed; it will be repeated'));
  }, SWEEP_INTERVAL_MS);
  timer.unref();

  async function releaseLost(all: boolean): Promise<void> {
    const credits = await statements.releaseLost(all);
    if (credits > 0) log.warn({ credits }, 'credits of lost requests were released');
  }

  async function sweep(): Promise<void> {
    await releaseLost(false);
    const now = new Date();
    await statements.deleteBefore(
      monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - RETAINED_MONTHS))),
    );
  }

  function submit(entry: Omit<LedgerEntry, 'outcome'>): Promise<Allowance> {
    const outcome = Promise.withResolvers<Allowance>();
    reservations.add({ ...entry, outcome });
    return outcome.promise;
  }

  async function serve(entries: readonly LedgerEntry[]): Promise<void> {
    const groups = Map.groupBy(entries, keyOf);
    for (const entry of entries) addReserved(entry, -entry.reservedCredits);
    try {
      const batches = [...groups].map(([name, group]) => reservationBatchOf(group, reservedCredits.get(name) ?? 0));
      const results = await statements.serve(batches);
      if (results.length < groups.size) throw new Error('the ledger returned too few results for its batches');
      for (const result of results) settleEntries(result, groups.get(keyOf(result)) ?? []);
    } catch (error) {
      for (const { outcome } of entries) outcome.reject(unavailable(error));
    }
  }

  /** Adds reserved credits, or removes them if negative. */
  function addReserved(entry: Pick<LedgerEntry, 'account' | 'month'>, credits: number): void {
    const name = keyOf(entry);
    const total = (reservedCredits.get(name) ?? 0) + credits;
    if (total === 0) reservedCredits.delete(name);
    else reservedCredits.set(name, total);
  }

  /** Settles the entries of one account. `granted` has no entry for requests that the rate limit did not admit. */
  function settleEntries({ granted, spent, tokens }: ReservationResult, entries: readonly LedgerEntry[]): void {
    const verdicts = granted.values();
    for (const entry of entries) {
      const { limits, reserve, outcome } = entry;
      const allowance = allowanceOf(limits, spent);
      if (reserve === undefined) {
        outcome.resolve(allowance);
        continue;
      }
      const isGranted = verdicts.next().value;
      if (isGranted === undefined) outcome.reject(rateLimited(limits, tokens));
      else if (isGranted) {
        addReserved(entry, reserve);
        outcome.resolve(allowance);
      } else outcome.reject(quotaExceeded(allowance, reserve, reservedCredits.get(keyOf(entry)) ?? 0));
    }
  }

  /** Charges a batch of payments. An account with several prices needs one call per price. */
  async function charge(pending: readonly Payment[]): Promise<void> {
    let remaining = [...Map.groupBy(pending, ({ account, month, price }) => `${price} ${month} ${account}`).values()];
    try {
      while (remaining.length > 0) {
        const accounts = Map.groupBy(remaining, ([first]) => (first === undefined ? '' : keyOf(first)));
        const batch = new Map([...accounts].flatMap(([name, [group]]) => (group === undefined ? [] : [[name, group]])));
        remaining = [...accounts.values()].flatMap(([, ...others]) => others);
        const results = await statements.pay([...batch.values()].map(paymentBatchOf));
        if (results.length < batch.size) throw new Error('the ledger returned too few results for its payments');
        for (const result of results) {
          const name = keyOf(result);
          settlePayments(result, batch.get(name) ?? [], reservedCredits.get(name) ?? 0);
        }
      }
    } catch (error) {
      // This has no effect on payments that are already settled.
      for (const { outcome } of pending) outcome.reject(unavailable(error));
    }
  }

  return {
    async reserve(account, limits, credits) {
      const request = { account, month: monthOf(new Date()), limits };
      const allowance = await submit({ ...request, reserve: credits, reservedCredits: 0, cost: 0 });
      return {
        allowance,
        settle: (cost) =>
          submit({ ...request, reserve: undefined, reservedCredits: credits, cost: Math.min(cost, credits) }),
      };
    },
    pay(account, limits, price) {
      const outcome = Promise.withResolvers<Allowance>();
      payments.add({ account, month: monthOf(new Date()), limits, price, outcome });
      return outcome.promise;
    },
    async close() {
      clearInterval(timer);
      await payments.close();
      await reservations.close();
    },
  };
}

function unavailable(cause: unknown): MillraceError {
  const message = 'The credits of your key cannot be checked at the moment. Try again shortly.';
  return new MillraceError('service_unavailable', message, { cause });
}

/** Combines the payments of one account and price, under the limits of the latest one. */
function paymentBatchOf(payments: readonly Payment[]): PaymentBatch {
  const last = payments.at(-1);
  if (last === undefined) throw new Error('a payment batch without payments');
  const { account, month, limits, price } = last;
  return { account, month, quota: limits.credits, rate: limits.perSecond, starts: payments.length, price };
}

/**
 * Settles the payments of one account and price, first come, first served. `reservedCredits` is the number of credits
 * that running requests reserve.
 */
function settlePayments(
  { admitted, paid, spent, tokens }: PaymentResult,
  payments: readonly Payment[],
  reservedCredits: number,
): void {
  const [first] = payments;
  if (first === undefined) return;
  const { limits, price } = first;
  const allowance = allowanceOf(limits, spent);
  for (const [index, { outcome }] of payments.entries()) {
    if (index >= admitted) outcome.reject(rateLimited(limits, tokens));
    else if (index >= paid) outcome.reject(quotaExceeded(allowance, price, reservedCredits));
    else outcome.resolve(allowance);
  }
}

/** Returns the key of an entry's account and month. */
function keyOf({ account, month }: Pick<LedgerEntry, 'account' | 'month'>): string {
  return `${month} ${account}`;
}

/** Combines the entries of one account, under the limits of the latest one. */
function reservationBatchOf(entries: readonly LedgerEntry[], reservedCredits: number): ReservationBatch {
  const last = entries.at(-1);
  if (last === undefined) throw new Error('a reservation batch without entries');
  const { account, month, limits } = last;
  return {
    account,
    month,
    quota: limits.credits,
    rate: limits.perSecond,
    prices: entries.flatMap(({ reserve }) => reserve ?? []),
    reservedCredits,
    cost: sum(entries.map(({ cost }) => cost)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function allowanceOf({ credits }: RequestLimits, spent: number): Allowance {
  return { limit: credits, remaining: Math.max(0, credits - spent), reset: secondsLeftInMonth(new Date()) };
}

function rateLimited({ perSecond }: RequestLimits, tokens: number): LimitError {
  const reset = Math.max(1, Math.ceil((1 - tokens) / perSecond));
  const message = `Your plan allows ${perSecond} request${perSecond === 1 ? '' : 's'} per second. Wait a moment and try again.`;
  return new LimitError('rate_limited', message, { limit: perSecond, remaining: 0, reset });
}

/**
 * Returns the error for a request that can cost more credits than are left. `reservedCredits` credits may still be
 * released.
 */
function quotaExceeded(allowance: Allowance, price: number, reservedCredits: number): LimitError {
  const { limit, remaining } = allowance;
  const remainingText = `${remaining} ${remaining === 1 ? 'is' : 'are'} left`;
  const need = `Of your plan's ${limit} credits this month, ${remainingText}, and this request can cost ${price}.`;
  if (price > remaining + reservedCredits) {
    return new LimitError(
      'quota_exceeded',
      `${need} Credits are renewed at the start of the next calendar month (UTC).`,
      allowance,
    );
  }
  const others = `${reservedCredits} more ${reservedCredits === 1 ? 'is' : 'are'} reserved for running requests`;
  const message = `${need} ${others} and may be released when these end, so try again in a moment.`;
  return new LimitError('quota_exceeded', message, allowance, RETRY_AFTER_S);
}
