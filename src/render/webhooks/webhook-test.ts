import { randomUUID } from 'node:crypto';
import type { WebhookTestResult } from '../../contract/account-webhooks.ts';
import { MillraceError } from '../../contract/errors.ts';
import { jobFailure } from '../../contract/job-failure.ts';
import type { RenderStatusEvent } from '../../contract/job-status.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { Egress } from '../../egress/egress.ts';
import { callReceiver } from './call-receiver.ts';

/** Maximum number of concurrent tests per node, and of those for one owner: each can take as long as a call. */
const MAX_CONCURRENT = 8;
const MAX_PER_OWNER = 2;
const RETRY_AFTER_S = 5;

/**
 * Sends a signed test event to a receiver, once.
 *
 * @throws MillraceError `rate_limited` if too many tests are running. The reason of the signal.
 */
export type TestWebhook = (owner: string, webhook: Webhook, signal: AbortSignal) => Promise<WebhookTestResult>;

/** Creates {@link TestWebhook}. */
export function createWebhookTester(egress: Egress): TestWebhook {
  /** The owner of each running test. */
  const running: string[] = [];
  return async (owner, webhook, signal) => {
    const own = running.filter((each) => each === owner).length;
    if (running.length >= MAX_CONCURRENT || own >= MAX_PER_OWNER) throw tooManyTestsError();
    running.push(owner);
    try {
      const id = randomUUID();
      const event = JSON.stringify(testEvent(id, new Date()));
      const outcome = await callReceiver(webhook, { egress, owner, id, event, signal });
      const { verdict, at, milliseconds, status, error } = outcome;
      return { id, delivered: verdict === 'delivered', at, milliseconds, status, error };
    } finally {
      running.splice(running.indexOf(owner), 1);
    }
  };
}

/** A status event of a job that does not exist, so that a receiver that ignores `test` starts no download. */
function testEvent(id: string, now: Date): RenderStatusEvent & { readonly test: true } {
  const failure = new MillraceError('cancelled', 'This is a test of the webhook. No job has failed.', { input: null });
  return {
    test: true,
    job_id: `webhook-test-${id}`,
    status: 'failed',
    progress: 0,
    output: null,
    ...jobFailure(failure),
    request_id: null,
    created_at: now.toISOString(),
    expires_at: now.toISOString(),
  };
}

function tooManyTestsError(): MillraceError {
  const message = 'Too many webhook tests are running. Wait for their responses, and try again.';
  return new MillraceError('rate_limited', message, { retryAfter: RETRY_AFTER_S });
}
