import type { KeyHolder } from '../../accounts/authenticate.ts';
import { applyCallerRate } from '../../accounts/caller-rate.ts';
import { refuseIfDisabled } from '../../accounts/disabled-accounts.ts';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { Ledger } from '../../accounts/ledger.ts';
import { accountOf, ownerOf } from '../../accounts/owner.ts';
import type { BlockIndex } from '../../blocks/block-index.ts';
import { type Addresses, statusLinks } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job, JobDescription } from '../../contract/job.ts';
import type { RenderStartResponse } from '../../contract/job-status.ts';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { RenderPreview } from '../../contract/render-preview.ts';
import type { RequestOrigin } from '../../contract/request-origin.ts';
import type { PlanName, Plans } from '../../contract/subscription-plans.ts';
import { testMember } from '../../contract/test-member.ts';
import { type Worlds, worldFor } from '../../contract/worlds.ts';
import type { ClientNetworks } from '../../http/connections/client-network.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { isTestLink, type Sealers } from '../../sealing/sealers.ts';
import { refusalOfJob } from '../jobs/blocked-job.ts';
import { openOrder } from '../jobs/execution-url.ts';
import { looksGuessable } from '../jobs/guessable-id.ts';
import type { Jobs, StartOptions, StartOutcome } from '../jobs/jobs.ts';
import { newerVersionError } from '../jobs/newer-version-error.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import type { StoredDescriptions } from '../jobs/stored-descriptions.ts';
import type { StoredOrders } from '../jobs/stored-orders.ts';
import type { StoreDisk } from '../jobs/stored-size.ts';
import type { VisitorLimits } from '../jobs/visitor-limits.ts';
import type { PreviewJob } from '../preview/preview-job.ts';
import type { JobRates } from './job-rates.ts';

/** What the starts of one world use. */
export interface StartWorld {
  readonly sealer: Sealer;
  readonly storedOrders: Pick<StoredOrders, 'find'>;
  readonly previewJob: PreviewJob;
}

/** Dependencies of the routes that start jobs. */
export interface StartServices {
  readonly jobs: Jobs;
  readonly storedDescriptions: StoredDescriptions;
  readonly keys: Pick<Keys, 'find' | 'findAccount' | 'isDisabled'>;
  readonly ledger: Ledger;
  readonly sealers: Sealers;
  readonly worlds: Worlds<StartWorld>;
  readonly addresses: () => Addresses;
  readonly blocks: BlockIndex;
  readonly visitorLimits: VisitorLimits;
  readonly jobRates: JobRates;
  readonly plans: Plans;
  /** Measures the disk of the store; undefined for other stores. */
  readonly measureDisk: () => Promise<StoreDisk | undefined>;
}

/** The response to a start call: 202 for a new job, 200 for an existing one. */
export interface StartResponse {
  readonly statusCode: 200 | 202;
  readonly body: RenderStartResponse;
  /** The job, if it has already finished. */
  readonly finishedJob: StatusRow | undefined;
}

/** A job that the caller may start. */
export interface PreparedStart {
  /** Starts the job for a request. */
  start(origin: RequestOrigin): Promise<StartResponse>;
  /** Describes the effect of {@link start} without starting anything. */
  preview(signal: AbortSignal): Promise<RenderPreview>;
}

/** Starts jobs from every kind of call. */
interface JobStarter {
  /** Applies the rate limit of the account's plan to a direct job API call, which costs no credits. */
  applyRateLimit(account: Account): Promise<void>;
  /** Prepares a job from the description in a request. */
  fromDescription(account: Account, job: Job): PreparedStart;
  /** Prepares a job from a stored description for a client; the job belongs to the key that stored it. */
  fromCache(cacheId: string, client: ClientNetworks | undefined): Promise<PreparedStart>;
  /** Prepares a job from the sealed part of an execution URL for a client. */
  fromOrder(order: string, client: ClientNetworks | undefined): PreparedStart;
  /** Runs a failed job of the caller again, under the limits of the caller's starts. */
  retry(caller: KeyHolder, jobId: string, origin: RequestOrigin): Promise<StartResponse>;
}

/** The job of an execution URL, with the plan and the visitor of who received the URL. */
interface SealedJob {
  readonly job: Job;
  readonly visitor: string | undefined;
  readonly plan: PlanName | undefined;
}

const guessableIdWarning =
  "The job's ID looks easy to guess. Anyone who knows it can read the job's status and download its file. " +
  'Use a random ID, such as a UUID.';

/** Creates {@link JobStarter}. Its functions throw MillraceErrors. */
export function createJobStarter(services: StartServices): JobStarter {
  const { jobs, storedDescriptions, keys, ledger, sealers, worlds, addresses, blocks, visitorLimits, plans, jobRates } =
    services;

  async function applyRateLimit(account: Account): Promise<void> {
    await applyCallerRate(ledger, { account, kind: 'render' });
  }

  /** @throws MillraceError `blocked` */
  function refuseIfBlocked(job: Job): void {
    const refusal = refusalOfJob(job, blocks);
    if (refusal !== undefined) throw refusal;
  }

  /** Adds the subjects that the parameters name, because only the subjects are stored with the file of a job. */
  function withAllSubjects<Origin extends ItemOrigin>(origin: Origin): Origin {
    return { ...origin, subjects: blocks.subjectsOfOrigin(origin) };
  }

  function prepareStart(account: Account, job: Job): PreparedStart {
    const { id, plan, test } = account;
    const limits = async () => ({ maxUnfinished: plan.jobsAtOnce, ...(await storedOption(plan.storedSize)) });
    const { previewJob } = worldFor(worlds, test);
    return {
      async start(origin) {
        await applyRateLimit(account);
        refuseIfBlocked(job);
        return toResponse(await jobs.start(job, id, { origin, ...(await limits()), test }), test);
      },
      async preview(signal) {
        await applyRateLimit(account);
        refuseIfBlocked(job);
        return { ...(await previewJob(job, id, await limits(), signal)), ...testMember(test) };
      },
    };
  }

  function toResponse({ jobId, isNew, message, finishedJob }: StartOutcome, test: boolean): StartResponse {
    const status = isNew ? 'queued' : 'already_exists';
    return {
      statusCode: isNew ? 202 : 200,
      body: {
        jobId,
        status,
        message: looksGuessable(jobId) ? `${message} ${guessableIdWarning}` : message,
        ...statusLinks(addresses(), jobId),
        ...testMember(test),
      },
      finishedJob,
    };
  }

  /** Returns the start option of a visitor of the page; none for other callers. */
  function visitorOption(id: string | undefined): Pick<StartOptions, 'visitor'> {
    return id === undefined ? {} : { visitor: { id, limits: visitorLimits } };
  }

  /** Returns the start option that limits the stored files, to a size if the plan is known. */
  async function storedOption(quota?: number): Promise<Pick<StartOptions, 'stored'>> {
    const disk = await services.measureDisk();
    return { stored: { ...(quota === undefined ? {} : { quota }), ...(disk === undefined ? {} : { disk }) } };
  }

  /** Returns the limits of a start of an order. */
  async function optionsOfOrder(owner: string, test: boolean, { visitor, plan }: SealedJob) {
    const quota = plan === undefined ? undefined : plans[plan].storedSize;
    return { ...visitorOption(visitor), ...(await storedOption(quota)), ...(await limitOfOrders(owner, test)) };
  }

  /**
   * Returns the maximum unfinished jobs of an account that starts execution URLs. Their extractions limit those of live
   * keys by credits; those of test keys cost none.
   */
  async function limitOfOrders(owner: string, isTest: boolean): Promise<Pick<StartOptions, 'maxUnfinished'>> {
    if (!isTest) return {};
    const account = await keys.findAccount(accountOf(owner));
    if (account === undefined) throw new MillraceError('forbidden', 'The test key of this execution URL is unknown.');
    return { maxUnfinished: account.plan.jobsAtOnce };
  }

  return {
    applyRateLimit,
    async retry(caller, jobId, origin) {
      await applyCallerRate(ledger, caller);
      const { account, kind } = caller;
      const { id, plan, test } = account;
      worldFor(worlds, test);
      // Like starts by execution URL, retries with a live extraction key have no limit of unfinished jobs.
      const limit = kind === 'render' || test ? { maxUnfinished: plan.jobsAtOnce } : {};
      return toResponse(
        await jobs.retry(jobId, id, {
          origin,
          ...limit,
          ...(await storedOption(plan.storedSize)),
          check: refuseIfBlocked,
          test,
        }),
        test,
      );
    },
    fromDescription: prepareStart,
    async fromCache(cacheId, client) {
      jobRates.countUse(client);
      const { job, owner } = await storedDescriptions.find(cacheId);
      const account = await keys.findAccount(owner);
      if (account === undefined || account.endReason !== undefined) {
        throw new MillraceError(
          'forbidden',
          'The key that stored this job no longer works. Store the job with another key.',
        );
      }
      return prepareStart(account, job);
    },
    fromOrder(order, client) {
      jobRates.countUse(client);
      const test = isTestLink(sealers, 'execution-url', order);
      const { sealer, storedOrders, previewJob } = worldFor(worlds, test);
      const { jobId, owner, visitor, expiresAt, content } = openOrder(sealer, order);
      jobRates.countUseOf(ownerOf({ id: owner, visitor }));

      /** Returns the job and its visitor; undefined if the URL has expired. @throws MillraceError `blocked` */
      async function readJob(): Promise<SealedJob | undefined> {
        if (expiresAt <= Date.now()) return undefined;
        const found = 'orderId' in content ? await storedOrders.find(content.orderId) : content;
        if (found === undefined) return undefined;
        const { description, exit, origin, item, visitor, plan } = found;
        const job = {
          ...parseSealedDescription(description),
          exit,
          ...(origin === undefined ? {} : { origin: withAllSubjects(origin) }),
          ...(item === undefined ? {} : { item: withAllSubjects(item) }),
        };
        refuseIfBlocked(job);
        return { job, visitor, plan };
      }

      return {
        async start(origin) {
          refuseIfDisabled(keys, owner);
          const order = await readJob();
          const outcome =
            order === undefined
              ? await jobs.attach(jobId, owner, visitor)
              : await jobs.start(order.job, owner, {
                  origin,
                  ...(await optionsOfOrder(owner, test, order)),
                  test,
                });
          if (outcome === undefined) throw tokenExpiredError();
          return toResponse(outcome, test);
        },
        async preview(signal) {
          refuseIfDisabled(keys, owner);
          const order = await readJob();
          if (order === undefined) throw tokenExpiredError();
          const options = await optionsOfOrder(owner, test, order);
          return { ...(await previewJob(order.job, owner, options, signal)), ...testMember(test) };
        },
      };
    },
  };
}

/** Parses a sealed description. Only valid descriptions are sealed, so an invalid one comes from a newer version. */
function parseSealedDescription(description: JobDescription): Job {
  try {
    return parseJob(description);
  } catch (error) {
    throw newerVersionError('This execution URL', error);
  }
}

function tokenExpiredError(): MillraceError {
  return new MillraceError('token_expired', 'This execution URL has expired. Request a new one.');
}
