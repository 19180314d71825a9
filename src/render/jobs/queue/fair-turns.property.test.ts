import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { type JobDatabase, openJobDatabase, testJob } from '../../testing/job-database.ts';
import type { ClaimedJob } from './claim-job.ts';

const SLOTS = 3;
const STEPS = 80;
const visitors = 'visitors';

let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(1_000);
});
afterAll(() => store.close());
beforeEach(() => store.clear());

/** A tenant of the queue, as the test expects it to be served. */
interface Tenant {
  waiting: number;
  running: number;
  /** Since its last claim: how often each other tenant was served in its place, although it occupied no more slots. */
  passedBy: Map<string, number>;
}

/** Starts, claims, ends and hands back jobs of random tenants on two workers, and checks each claim. */
class Simulation {
  readonly #random: () => number;
  readonly #tenants = new Map<string, Tenant>();
  readonly #workers = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  #running: { readonly job: ClaimedJob; readonly worker: string }[] = [];
  #started = 0;
  claimed = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Does one random thing. */
  async step(): Promise<void> {
    const dice = this.#random();
    if (dice < 0.45) await this.#start();
    else if (dice < 0.8) await this.#claim(this.#oneOf(this.#workers));
    else await this.#stop(dice < 0.95);
  }

  /** Ends and claims jobs until none is left. */
  async finish(): Promise<void> {
    while (this.#running.length > 0 || this.#waiting > 0) {
      for (const worker of this.#workers) await this.#claim(worker);
      expect(this.#running).not.toEqual([]);
      await this.#stop(true);
    }
  }

  get #waiting(): number {
    return [...this.#tenants.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  #oneOf<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.#random() * values.length)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }

  #tenant(name: string): Tenant {
    const tenant = this.#tenants.get(name) ?? { waiting: 0, running: 0, passedBy: new Map() };
    this.#tenants.set(name, tenant);
    return tenant;
  }

  /** Starts a job: half of them belong to the same key. */
  async #start(): Promise<void> {
    const owner = this.#random() < 0.5 ? 'flood' : this.#oneOf(['a', 'b', 'c', visitors]);
    const visitor = { id: this.#oneOf(['v', 'w', 'x']), limits: { atOnce: 1_000, perDay: 1_000, storedSize: 1e9 } };
    this.#started += 1;
    await store.jobs.start(testJob(`job-${this.#started}`), owner, owner === visitors ? { visitor } : {});
    this.#tenant(owner).waiting += 1;
  }

  async #claim(worker: string): Promise<void> {
    const own = this.#running.filter((each) => each.worker === worker);
    if (own.length === SLOTS) return;
    const withVisitors = own.filter(({ job }) => job.visitor).length < SLOTS - 1;
    const job = await store.queue.claim(worker, { running: own.length, withVisitors });
    const candidates = [...this.#tenants].filter(
      ([name, { waiting }]) => waiting > 0 && (withVisitors || name !== visitors),
    );
    if (job === undefined) {
      expect(candidates).toEqual([]);
      return;
    }
    const served = this.#tenant(job.owner);
    expect(served.waiting).toBeGreaterThan(0);
    expect(withVisitors || !job.visitor).toBe(true);
    if (job.previousRun === undefined) {
      for (const [name, tenant] of candidates)
        if (name !== job.owner) this.#countPass(tenant, job.owner, served.running);
    }
    served.passedBy.clear();
    served.waiting -= 1;
    served.running += 1;
    this.claimed += 1;
    this.#running.push({ job, worker });
  }

  /** Counts that `tenant` waits while `other` was served, which occupied `slots`. */
  #countPass(tenant: Tenant, other: string, slots: number): void {
    expect(slots).toBeLessThanOrEqual(tenant.running);
    if (slots < tenant.running) return;
    const passes = (tenant.passedBy.get(other) ?? 0) + 1;
    tenant.passedBy.set(other, passes);
    expect(passes).toBe(1);
  }

  /** Ends a running job, or hands it back. */
  async #stop(ends: boolean): Promise<void> {
    if (this.#running.length === 0) return;
    const stopped = this.#oneOf(this.#running);
    this.#running = this.#running.filter((each) => each !== stopped);
    const { run, owner } = stopped.job;
    const tenant = this.#tenant(owner);
    tenant.running -= 1;
    if (ends) {
      await store.queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
    } else {
      await store.queue.requeue(run);
      tenant.waiting += 1;
    }
  }
}

// So while a tenant that occupies the fewest slots waits, each other tenant is served once at most.
test('no tenant is served before one that occupies fewer slots, or twice before one that occupies no more, and none starves', async () => {
  for (let seed = 1; seed <= propertyRuns(6); seed += 1) {
    await store.clear();
    const simulation = new Simulation(seed);
    for (let step = 0; step < STEPS; step += 1) await simulation.step();
    await simulation.finish();
    expect(simulation.claimed).toBeGreaterThan(STEPS / 5);
  }
});
