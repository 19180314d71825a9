import type { Logger } from 'pino';
import { MillraceError } from '../contract/errors.ts';
import type { Database } from '../database/database.ts';
import { createGatherer } from './gather.ts';
import { type Demand, ledgerStatements, type Payments, type Receipt, type Supply } from './ledger-statements.ts';
import { type Allowance, LimitError } from './limit-error.ts';
import { monthOf, secondsLeftInMonth } from './month.ts';

const SWEEP_INTERVAL_MS = 30_000;
const MONTHS_KEPT = 13;
/** Seconds after which many a request that is running now will have ended, and its credits are back. */
const SETTLED_SECONDS = 5;

/** The limits that a request falls under. */
export interface RequestLimits {
  /** Credits for each calendar month. */
  readonly credits: number;
  /** Requests for each second. */
  readonly perSecond: number;
}

/** Credits that are set aside for a request. */
export interface Reservation {
  /** Of the month, as things stand. */
  readonly allowance: Allowance;
  /**
   * Takes what the request cost, at most what was reserved, and gives back the rest; settles when that is committed.
   * To be called once, whatever comes of the request.
   */
  settle(cost: number): Promise<Allowance>;
}

/** What accounts use. Everything is committed before it is told, and never more than there is. */
export interface Ledger {
  /**
   * Lets a request begin, and sets credits aside for it.
   *
   * @throws LimitError `rate_limited` or `quota_exceeded`; MillraceError `service_unavailable`.
   */
  reserve(account: string, limits: RequestLimits, credits: number): Promise<Reservation>;
  /**
   * Lets a request begin whose price is known, and takes it.
   *
   * @throws LimitError `rate_limited` or `quota_exceeded`; MillraceError `service_unavailable`.
   */
  pay(account: string, limits: RequestLimits, price: number): Promise<Allowance>;
  close(): Promise<void>;
}

/** A wish of a request, until the next commit. */
interface Entry {
  readonly account: string;
  readonly month: string;
  readonly limits: RequestLimits;
  /** Credits to set aside for a request that wants to begin; undefined for one that is over. */
  readonly reserve: number | undefined;
  /** Credits that were set aside for one that is over, and what it cost. */
  readonly reserved: number;
  readonly charged: number;
  readonly outcome: PromiseWithResolvers<Allowance>;
}

/** A request that pays at once, until the next commit. */
interface Payer {
  readonly account: string;
  readonly month: string;
  readonly limits: RequestLimits;
  readonly price: number;
  readonly outcome: PromiseWithResolvers<Allowance>;
}

/**
 * Opens the ledger of a database. `alone`: no other process has it open, so that whatever is still reserved was lost.
 */
export async function openLedger(database: Database, alone: boolean, log: Logger): Promise<Ledger> {
  const statements = ledgerStatements(database);
  const gatherer = createGatherer<Entry>(serve);
  const payers = createGatherer<Payer>(charge);
  /** Credits that are reserved for requests under way, by month and account. */
  const underWay = new Map<string, number>();
  await giveBack(alone);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'a sweep of the ledger failed; the next one goes on'));
  }, SWEEP_INTERVAL_MS);
  timer.unref();

  async function giveBack(all: boolean): Promise<void> {
    const credits = await statements.giveBack(all);
    if (credits > 0) log.warn({ credits }, 'credits of requests that were cut off are given back');
  }

  async function sweep(): Promise<void> {
    await giveBack(false);
    const now = new Date();
    await statements.forgetBefore(monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_KEPT))));
  }

  function enter(entry: Omit<Entry, 'outcome'>): Promise<Allowance> {
    const outcome = Promise.withResolvers<Allowance>();
    gatherer.add({ ...entry, outcome });
    return outcome.promise;
  }

  async function serve(entries: readonly Entry[]): Promise<void> {
    const groups = Map.groupBy(entries, nameOf);
    for (const entry of entries) addUnderWay(entry, -entry.reserved);
    try {
      const demands = [...groups].map(([name, group]) => demandOf(group, underWay.get(name) ?? 0));
      const supplies = await statements.serve(demands);
      if (supplies.length < groups.size) throw new Error('the ledger left a demand unanswered');
      for (const supply of supplies) distribute(supply, groups.get(nameOf(supply)) ?? []);
    } catch (error) {
      for (const { outcome } of entries) outcome.reject(outOfReach(error));
    }
  }

  /** Counts credits in, and with a negative number out. */
  function addUnderWay(whose: Pick<Entry, 'account' | 'month'>, credits: number): void {
    const name = nameOf(whose);
    const total = (underWay.get(name) ?? 0) + credits;
    if (total === 0) underWay.delete(name);
    else underWay.set(name, total);
  }

  /** Settles the wishes of one account; requests that the rate limit did not admit have no verdict. */
  function distribute({ granted, spent, tokens }: Supply, entries: readonly Entry[]): void {
    const verdicts = granted.values();
    for (const entry of entries) {
      const { limits, reserve, outcome } = entry;
      const left = allowanceOf(limits, spent);
      if (reserve === undefined) {
        outcome.resolve(left);
        continue;
      }
      const isGranted = verdicts.next().value;
      if (isGranted === undefined) outcome.reject(rateLimited(limits, tokens));
      else if (isGranted) {
        addUnderWay(entry, reserve);
        outcome.resolve(left);
      } else outcome.reject(quotaExceeded(left, reserve, underWay.get(nameOf(entry)) ?? 0));
    }
  }

  /** Charges all who pay at once: those of an account in as many calls as there are prices. */
  async function charge(waiting: readonly Payer[]): Promise<void> {
    let rest = [...Map.groupBy(waiting, ({ account, month, price }) => `${price} ${month} ${account}`).values()];
    try {
      while (rest.length > 0) {
        const accounts = Map.groupBy(rest, ([first]) => (first === undefined ? '' : nameOf(first)));
        const now = new Map([...accounts].flatMap(([name, [group]]) => (group === undefined ? [] : [[name, group]])));
        rest = [...accounts.values()].flatMap(([, ...others]) => others);
        const receipts = await statements.pay([...now.values()].map(paymentsOf));
        if (receipts.length < now.size) throw new Error('the ledger left a payment unanswered');
        for (const receipt of receipts) {
          const name = nameOf(receipt);
          handOut(receipt, now.get(name) ?? [], underWay.get(name) ?? 0);
        }
      }
    } catch (error) {
      // Those that were answered before do not hear of it.
      for (const { outcome } of waiting) outcome.reject(outOfReach(error));
    }
  }

  return {
    async reserve(account, limits, credits) {
      const wish = { account, month: monthOf(new Date()), limits };
      const allowance = await enter({ ...wish, reserve: credits, reserved: 0, charged: 0 });
      return {
        allowance,
        settle: (cost) => enter({ ...wish, reserve: undefined, reserved: credits, charged: Math.min(cost, credits) }),
      };
    },
    pay(account, limits, price) {
      const outcome = Promise.withResolvers<Allowance>();
      payers.add({ account, month: monthOf(new Date()), limits, price, outcome });
      return outcome.promise;
    },
    async close() {
      clearInterval(timer);
      await payers.close();
      await gatherer.close();
    },
  };
}

function outOfReach(cause: unknown): MillraceError {
  const message = 'The credits of your key are out of reach for now. Try again in a moment.';
  return new MillraceError('service_unavailable', message, { cause });
}

/** Puts the payers of one account and price together; its limits are those it came with last. */
function paymentsOf(payers: readonly Payer[]): Payments {
  const last = payers.at(-1);
  if (last === undefined) throw new Error('a payment without a request');
  const { account, month, limits, price } = last;
  return { account, month, quota: limits.credits, rate: limits.perSecond, starts: payers.length, price };
}

/** Tells the payers of one account and price how they fared, first come, first served; `reserved` are credits under way. */
function handOut({ admitted, paid, spent, tokens }: Receipt, payers: readonly Payer[], reserved: number): void {
  const [first] = payers;
  if (first === undefined) return;
  const { limits, price } = first;
  const left = allowanceOf(limits, spent);
  for (const [place, { outcome }] of payers.entries()) {
    if (place >= admitted) outcome.reject(rateLimited(limits, tokens));
    else if (place >= paid) outcome.reject(quotaExceeded(left, price, reserved));
    else outcome.resolve(left);
  }
}

/** Names the account and month of an entry. */
function nameOf({ account, month }: Pick<Entry, 'account' | 'month'>): string {
  return `${month} ${account}`;
}

/** Puts the wishes of one account together; its limits are those it came with last. */
function demandOf(entries: readonly Entry[], underWay: number): Demand {
  const last = entries.at(-1);
  if (last === undefined) throw new Error('a demand without a request');
  const { account, month, limits } = last;
  return {
    account,
    month,
    quota: limits.credits,
    rate: limits.perSecond,
    prices: entries.flatMap(({ reserve }) => reserve ?? []),
    underWay,
    charged: sum(entries.map(({ charged }) => charged)),
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
  const message = `Your plan allows ${perSecond} request${perSecond === 1 ? '' : 's'} a second. Slow down.`;
  return new LimitError('rate_limited', message, { limit: perSecond, remaining: 0, reset });
}

/** A refusal of a request that can cost more than is left, while `reserved` credits may still come back. */
function quotaExceeded(allowance: Allowance, price: number, reserved: number): LimitError {
  const { limit, remaining } = allowance;
  const left = `${remaining} ${remaining === 1 ? 'is' : 'are'} left`;
  const want = `Of the ${limit} credits that your plan has a month, ${left}, and this request can cost ${price}.`;
  if (price > remaining + reserved) {
    return new LimitError('quota_exceeded', `${want} New ones come with the next calendar month (UTC).`, allowance);
  }
  const others = `${reserved} more ${reserved === 1 ? 'is' : 'are'} set aside for requests that are still running`;
  const message = `${want} ${others}. Try again in a moment: what they do not need comes back when they end.`;
  return new LimitError('quota_exceeded', message, allowance, SETTLED_SECONDS);
}
