import type { Account, Keys } from '../../accounts/keys.ts';
import type { Ledger } from '../../accounts/ledger.ts';
import { type Addresses, statusLinks } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job, JobDescription } from '../../contract/job.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { RenderPlan } from '../../contract/render-preview.ts';
import type { RenderStartResponse } from '../../contract/status.ts';
import type { Sealer } from '../../sealing/sealing.ts';
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
  readonly keys: Pick<Keys, 'find' | 'account'>;
  readonly ledger: Ledger;
  readonly sealer: Sealer;
  readonly previewJob: PreviewJob;
  readonly addresses: () => Addresses;
}

/** What a start call is answered, and with which HTTP status: 202 for a new job, 200 for one that is there. */
export interface StartAnswer {
  readonly statusCode: 200 | 202;
  readonly body: RenderStartResponse;
  /** The job, if it is already over. */
  readonly over: StatusRow | undefined;
}

/** A job that somebody may start. */
export interface Start {
  begin(): Promise<StartAnswer>;
  /** What would be done; nothing begins. */
  plan(signal: AbortSignal): Promise<RenderPlan>;
}

/** The three ways to start a job, whichever call they come by. */
export interface Starts {
  /** Lets a call of the direct job API begin: it costs no credits, but a plan has limits for how fast they come. */
  admit(account: Account): Promise<void>;
  /** A job that a caller describes. */
  described(account: Account, description: unknown): Start;
  /** A stored description, for whoever stored it. */
  stored(cacheId: string): Promise<Start>;
  /** The sealed part of an execution URL. */
  sealed(order: unknown): Start;
}

const guessableWarning =
  "The job's id looks easy to guess. Anyone who knows it can read the job's status and download its file. " +
  'Use a random id, such as a UUID.';

/** Makes the ways to start jobs. Each throws MillraceErrors. */
export function createStarts(services: StartServices): Starts {
  const { jobs, cache, keys, ledger, sealer, previewJob, addresses } = services;

  async function admit({ id, plan }: Account): Promise<void> {
    await ledger.reserve(id, { credits: 0, perSecond: plan.startsPerSecond }, 0);
  }

  function startFor(account: Account, job: Job): Start {
    const most = account.plan.jobsAtOnce;
    return {
      async begin() {
        await admit(account);
        return answer(await jobs.start(job, account.id, most));
      },
      async plan(signal) {
        await admit(account);
        return await previewJob(job, account.id, most, signal);
      },
    };
  }

  function answer({ jobId, fresh, message, over }: StartOutcome): StartAnswer {
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
    described: (account, description) => startFor(account, parseJob(description)),
    async stored(cacheId) {
      const { job, owner } = await cache.find(cacheId);
      const account = await keys.account(owner);
      if (account === undefined || account.ended) {
        throw new MillraceError('forbidden', 'The key that stored this job was revoked. Store it with another one.');
      }
      return startFor(account, job);
    },
    sealed(order) {
      const { description, exit, owner, expiresAt } = openOrder(sealer, order);
      const job = { ...parseSealed(description), exit };
      const expired = expiresAt <= Date.now();
      return {
        async begin() {
          if (!expired) return answer(await jobs.start(job, owner));
          const living = await jobs.attach(job.id, owner);
          if (living !== undefined) return answer(living);
          throw tokenExpired();
        },
        async plan(signal) {
          if (expired) throw tokenExpired();
          return await previewJob(job, owner, undefined, signal);
        },
      };
    },
  };
}

/** Only checked descriptions are sealed, so one that is refused was made by a version that allows more. */
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
