import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { openLedger, type Reservation } from './ledger.ts';
import type { LimitError } from './limit-error.ts';
import { openUsage } from './usage.ts';

const log = pino({ level: 'silent' });
const QUOTA = 10;
const limits = { credits: QUOTA, perSecond: 1_000_000 };

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  // The ledger must never grant more than the plan allows.
  await database.query(`alter table account_usage add constraint never_too_much check (spent <= ${QUOTA})`);
});
afterAll(async () => {
  // Other tests reuse the database.
  await database.query('alter table account_usage drop constraint never_too_much');
  await database.close();
});

/** Events of one moment, which a single database call handles. */
const moment = fc.record({
  /** Prices of requests that begin. */
  begin: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 5 }),
  /** Running requests that end, and their costs. */
  end: fc.array(fc.record({ which: fc.nat(20), cost: fc.integer({ min: 0, max: 5 }) }), { maxLength: 4 }),
  /**
   * Set if the connection breaks: for each time that the server still runs the call, the number of moments until then.
   */
  cut: fc.option(fc.array(fc.nat(3), { maxLength: 3 }), { freq: 4, nil: undefined }),
});
type Moment = typeof moment extends fc.Arbitrary<infer Value> ? Value : never;

/** Creates a database whose connection can break. Calls sent over a broken connection are recorded to be run later. */
function breakable() {
  const connection: { isCut: boolean; sent: (() => Promise<unknown>)[] } = { isCut: false, sent: [] };
  const query: Database['query'] = async <Row>(text: string, parameters?: readonly unknown[]) => {
    const run = () => database.query<Row>(text, parameters);
    if (!connection.isCut) return await run();
    connection.sent.push(run);
    throw new Error('the connection broke');
  };
  return { connection, database: { ...database, query } };
}

/** A call whose caller has disconnected, but which the server still runs, possibly more than once. */
interface LateCall {
  /** Its position among all calls. */
  readonly number: number;
  /** The indexes of the moments before which the server runs it. */
  readonly runsBefore: readonly number[];
  /** The cost of the requests that this call settles. */
  readonly cost: number;
  readonly run: () => Promise<unknown>;
}

interface UnderWay {
  readonly price: number;
  readonly reservation: Reservation;
}

/** Removes the ending requests from the running ones. */
function ending(underWay: UnderWay[], end: Moment['end']) {
  return end.flatMap(({ which, cost }) =>
    underWay
      .splice(which % Math.max(1, underWay.length), 1)
      .map((request) => ({ ...request, cost: Math.min(cost, request.price) })),
  );
}

const spentCredits = async () => (await openUsage(database).ofAccount('me'))[0]?.credits ?? 0;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('no order of requests and late calls loses or invents credits or refuses an affordable request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { maxLength: 8 }), async (moments) => {
      for (const table of ['credit_holds', 'account_usage']) await database.query(`delete from ${table}`);
      const { connection, database: mine } = breakable();
      const ledger = await openLedger(mine, true, log);
      // A call that is cut off has no effect unless the account has a row, so this request creates the row.
      await (await ledger.reserve('me', limits, 0)).settle(0);
      const underWay: UnderWay[] = [];
      const lateCalls: LateCall[] = [];
      /** Number of the latest call that took effect. */
      let latest = -1;
      /** Credits that were charged. */
      let taken = 0;
      const runLate = async (before: number) => {
        for (const { number, runsBefore, cost, run } of lateCalls) {
          for (const _ of runsBefore.filter((moment) => moment === before)) {
            await run();
            if (number > latest) taken += cost;
            latest = Math.max(latest, number);
          }
        }
      };
      for (const [number, { begin, end, cut }] of moments.entries()) {
        await runLate(number);
        connection.isCut = cut !== undefined;
        const ends = ending(underWay, end);
        const [settled, outcomes] = await Promise.all([
          Promise.allSettled(ends.map(({ reservation, cost }) => reservation.settle(cost))),
          Promise.allSettled(begin.map((price) => ledger.reserve('me', limits, price))),
        ]);
        connection.isCut = false;
        const cost = sum(ends.map(({ cost }) => cost));
        if (cut !== undefined) {
          for (const { status } of [...settled, ...outcomes]) expect(status).toBe('rejected');
          const runsBefore = cut.map((moments) => number + 1 + moments);
          for (const run of connection.sent.splice(0)) lateCalls.push({ number, runsBefore, cost, run });
          continue;
        }
        taken += cost;
        if (settled.length + outcomes.length > 0) latest = number;
        const left = () => QUOTA - taken - sum(underWay.map(({ price }) => price));
        for (const [place, outcome] of outcomes.entries()) {
          const price = begin[place] ?? 0;
          expect(outcome.status).toBe(price <= left() ? 'fulfilled' : 'rejected');
          if (outcome.status === 'fulfilled') underWay.push({ price, reservation: outcome.value });
        }
        for (const outcome of outcomes) {
          const { allowance } = outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as LimitError);
          expect(allowance.remaining).toBe(left());
        }
        for (const outcome of settled) expect(outcome).toMatchObject({ value: { remaining: left() } });
        if (settled.length + outcomes.length > 0) expect(await spentCredits()).toBe(QUOTA - left());
      }
      for (let moment = moments.length; moment < moments.length + 4; moment += 1) await runLate(moment);
      for (const { reservation } of underWay) await reservation.settle(0);
      // A late call may have reserved credits at the very end. The next request releases them.
      await (await ledger.reserve('me', limits, 0)).settle(0);
      expect(await spentCredits()).toBe(taken);
      await ledger.close();
    }),
    { seed: 16, numRuns: propertyRuns(30) },
  );
});
