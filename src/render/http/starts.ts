import type { Account, Keys } from '../../accounts/keys.ts';
import type { Ledger } from '../../accounts/ledger.ts';
import { type Addresses, statusLinks } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job, JobDescription } from '../../contract/job.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { RenderPlan } from '../../contract/render-preview.ts';
import type { RenderStartResponse } from '../../contract/status.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { openOrder } from '../jobs/execution-url.ts';
import { looksGuessable } from '../jobs/guessable-id.ts';
import type { Jobs, StartOutcome } from '../jobs/jobs.ts';
import { newerVersion } from '../jobs/newer-version.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import type { JobCache } from '../jobs/stored-descriptions.ts';
import type { PreviewJob } from '../preview/preview-job.ts';

/** What the routes that start jobs need. */
export interface StartServices {
  readonly jobs: Jobs;
  readonly cache: JobCache;
  readonly keys: Pick<Keys, 'find' | 'findAccount'>;
  readonly ledger: Ledger;
  readonly sealer: Sealer;
  readonly previewJob: PreviewJob;
  readonly addresses: () => Addresses;
}

/** The response to a start call: 202 for a new job, 200 for an existing one. */
export interface StartResult {
  readonly statusCode: 200 | 202;
  readonly body: RenderStartResponse;
  /** The job, if it is already over. */
  readonly over: StatusRow | undefined;
}

/** A job that the caller may start. */
export interface Start {
  begin(): Promise<StartResult>;
  /** Describes what {@link begin} would do. Starts nothing. */
  preview(signal: AbortSignal): Promise<RenderPlan>;
}

/** What jobs are started from, whichever call it comes by. */
export interface Starts {
  /** Admits a call of the direct job API: it costs no credits, but plans limit their rate. */
  admit(account: Account): Promise<void>;
  /** The description in a request. */
  fromDescription(account: Account, job: Job): Start;
  /** A stored description; the job belongs to the key that stored it. */
  fromCache(cacheId: string): Promise<Start>;
  /** The sealed part of an execution URL. */
  fromOrder(order: string): Start;
}

const guessableWarning =
  "The job's id looks easy to guess. Anyone who knows it can read the job's status and download its file. " +
  'Use a random id, such as a UUID.';

/** Creates {@link Starts}. Its functions throw MillraceErrors. */
export function createStarts(services: StartServices): Starts {
  const { jobs, cache, keys, ledger, sealer, previewJob, addresses } = services;

  async function admit({ id, plan }: Account): Promise<void> {
    await ledger.reserve(id, { credits: 0, perSecond: plan.startsPerSecond }, 0);
  }

  function startFor(account: Account, job: Job): Start {
    const maxUnfinished = account.plan.jobsAtOnce;
    return {
      async begin() {
        await admit(account);
        return resultOf(await jobs.start(job, account.id, maxUnfinished));
      },
      async preview(signal) {
        await admit(account);
        return await previewJob(job, account.id, maxUnfinished, signal);
      },
    };
  }

  function resultOf({ jobId, fresh, message, over }: StartOutcome): StartResult {
    const status = fresh ? 'queued' : 'already_exists';
    return {
      statusCode: fresh ? 202 : 200,
      body: {
        jobId,
        status,
        message: looksGuessable(jobId) ? `${message} ${guessableWarning}` : message,
        ...statusLinks(addresses(), jobId),
      },
      over,
    };
  }

  return {
    admit,
    fromDescription: startFor,
    async fromCache(cacheId) {
      const { job, owner } = await cache.find(cacheId);
      const account = await keys.findAccount(owner);
      if (account === undefined || account.ended) {
        throw new MillraceError('forbidden', 'The key that stored this job was revoked. Store it with another one.');
      }
      return startFor(account, job);
    },
    fromOrder(order) {
      const { description, exit, owner, expiresAt } = openOrder(sealer, order);
      const job = { ...parseSealed(description), exit };
      const expired = expiresAt <= Date.now();
      return {
        async begin() {
          if (!expired) return resultOf(await jobs.start(job, owner));
          const existing = await jobs.attach(job.id, owner);
          if (existing !== undefined) return resultOf(existing);
          throw tokenExpired();
        },
        async preview(signal) {
          if (expired) throw tokenExpired();
          return await previewJob(job, owner, undefined, signal);
        },
      };
    },
  };
}

/** Only valid descriptions are sealed, so an invalid one comes from a newer version. */
function parseSealed(description: JobDescription): Job {
  try {
    return parseJob(description);
  } catch (error) {
    throw newerVersion('This execution URL', error);
  }
}

function tokenExpired(): MillraceError {
  return new MillraceError('token_expired', 'This execution URL has expired. Request a fresh one.');
}
