import type { AccountWebhook, CreatedWebhook, WebhookTestResult } from '../account-webhooks.ts';
import type { Deliveries, Delivery } from '../deliveries.ts';
import type { JobList } from '../job-list.ts';
import { base64SecretPrefix } from '../shared-constants.ts';
import { plans } from '../subscription-plans.ts';
import type { UsageReport } from '../usage.ts';
import { type ExamplesOf, exampleJob, jobExamples } from './examples.ts';

const webhook = {
  id: '7a1d4c52-0e9b-4f63-8c25-b3d6f1a08e94',
  url: 'https://receiver.example/renders',
  createdAt: '2026-11-20T08:30:00.000Z',
} satisfies AccountWebhook;

const attempt = { at: '2026-11-22T10:00:09.250Z', milliseconds: 84, status: 204, error: null };

const delivered: Delivery = {
  id: '3c9e7f10-5b2a-4d86-9e41-6f0a8d7c2b35',
  webhookId: webhook.id,
  state: 'delivered',
  nextTryAt: null,
  tries: [attempt],
};

/** The receiver of the example webhook. */
export const exampleReceiver = webhook.url;

/** An example page of the list of jobs: the last one. */
export const jobListExamples: ExamplesOf<JobList> = {
  last: { summary: 'The last page', value: { jobs: [jobExamples.done.value], nextCursor: null } },
};

/** An example of the deliveries of a job. */
export const deliveriesExamples: ExamplesOf<Deliveries> = {
  delivered: { summary: 'Delivered', value: { jobId: exampleJob.id, deliveries: [delivered] } },
};

/** An example of a delivery that is attempted again. */
export const redeliveryExamples: ExamplesOf<Delivery> = {
  pending: { summary: 'Pending', value: { ...delivered, state: 'pending', nextTryAt: '2026-11-22T10:05:00.000Z' } },
};

/** An example of the webhooks of an account. */
export const webhookListExamples: ExamplesOf<{ readonly webhooks: readonly AccountWebhook[] }> = {
  one: { summary: 'One webhook', value: { webhooks: [webhook] } },
};

/** An example of a deleted webhook. */
export const webhookExamples: ExamplesOf<AccountWebhook> = { deleted: { summary: 'Deleted', value: webhook } };

/** An example of a new webhook. */
export const createdWebhookExamples: ExamplesOf<CreatedWebhook> = {
  created: {
    summary: 'Added',
    value: { ...webhook, secret: `${base64SecretPrefix}bWlsbHJhY2UtZXhhbXBsZS1zZWNyZXQtMzItYnl0ZXM=` },
  },
};

/** An example of a webhook test. */
export const webhookTestExamples: ExamplesOf<WebhookTestResult> = {
  accepted: {
    summary: 'Accepted',
    value: { id: 'd2f4b6a8-1c3e-4a57-9b80-e6f7a9c1d3b5', delivered: true, ...attempt },
  },
};

const { credits, requestsPerSecond, startsPerSecond, jobsAtOnce, storedSize } = plans.PRO;

/** Examples of the usage of both kinds of keys. */
export const usageExamples: ExamplesOf<UsageReport> = {
  extraction: {
    summary: 'Extraction key',
    value: {
      keyKind: 'extraction',
      plan: 'PRO',
      month: '2026-11',
      resetsAt: '2026-12-01T00:00:00.000Z',
      requests: 812,
      credits: { used: 1_040, limit: credits, remaining: credits - 1_040, spendWarning: null },
      rates: { requestsPerSecond, startsPerSecond: null, jobsAtOnce: null },
      unfinishedJobs: 1,
      storedFiles: { bytes: 1_240_000_000, limit: storedSize },
    },
  },
  render: {
    summary: 'Render key',
    value: {
      keyKind: 'render',
      plan: 'PRO',
      month: '2026-11',
      resetsAt: '2026-12-01T00:00:00.000Z',
      requests: 96,
      credits: null,
      rates: { requestsPerSecond: null, startsPerSecond, jobsAtOnce },
      unfinishedJobs: 1,
      storedFiles: { bytes: 1_240_000_000, limit: storedSize },
    },
  },
};
