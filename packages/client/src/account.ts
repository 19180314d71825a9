import type { AccountWebhook, CreatedWebhook, WebhookTestResult } from '../../../src/contract/account-webhooks.ts';
import { renderPaths } from '../../../src/contract/render-api/paths.ts';
import type { UsageReport } from '../../../src/contract/usage.ts';
import type { Webhook } from '../../../src/contract/webhook.ts';
import { addressOf, type RouteAddress } from './http/route-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';

/** The webhooks of the account, which receive the last status event of each of its jobs. Calls throw MillraceApiError. */
export interface AccountWebhooks {
  /** Returns the webhooks in the order of their creation. */
  list(options?: CallOptions): Promise<readonly AccountWebhook[]>;
  /** Adds a webhook. Without a secret, the service chooses one. The secret is returned only here. */
  add(webhook: Pick<Webhook, 'url'> & Partial<Webhook>, options?: CallOptions): Promise<CreatedWebhook>;
  /** Deletes a webhook, and gives up its pending events. */
  delete(webhookId: string, options?: CallOptions): Promise<AccountWebhook>;
  /** Sends a signed test event to a stored webhook, or to any URL, and reports the response. */
  test(target: { readonly webhookId: string } | Webhook, options?: CallOptions): Promise<WebhookTestResult>;
}

/** Calls about the account of the client's render key, or else of its extraction key. */
export interface AccountCalls {
  /** Returns the credits, requests and limits of the account. Costs no credits. */
  usage(options?: CallOptions): Promise<UsageReport>;
  /** Lists, adds, deletes and tests the webhooks of the account. */
  readonly webhooks: AccountWebhooks;
}

/** Creates the calls. `credentials` are the headers of a key. */
export function createAccountCalls(
  apiUrl: URL,
  credentials: Readonly<Record<string, string>>,
  transport: Transport,
): AccountCalls {
  // The transport throws every error response.
  const request = (address: RouteAddress<'GET' | 'DELETE'>, options?: CallOptions) =>
    transport.json({ ...address, headers: credentials, idempotent: true }, options);
  const post = (address: RouteAddress<'POST'>, body: object, options?: CallOptions) => {
    const headers = { ...credentials, 'content-type': 'application/json' };
    return transport.json({ ...address, headers, body: JSON.stringify(body), idempotent: false }, options);
  };
  return {
    usage: async (options) => (await request(addressOf(renderPaths.readUsage, {}, apiUrl), options)) as UsageReport,
    webhooks: {
      async list(options) {
        const { webhooks } = (await request(addressOf(renderPaths.listWebhooks, {}, apiUrl), options)) as {
          readonly webhooks: readonly AccountWebhook[];
        };
        return webhooks;
      },
      add: async (webhook, options) =>
        (await post(addressOf(renderPaths.createWebhook, {}, apiUrl), webhook, options)) as CreatedWebhook,
      delete: async (webhookId, options) =>
        (await request(addressOf(renderPaths.deleteWebhook, { webhookId }, apiUrl), options)) as AccountWebhook,
      test: async (target, options) =>
        (await post(addressOf(renderPaths.testWebhook, {}, apiUrl), target, options)) as WebhookTestResult,
    },
  };
}
