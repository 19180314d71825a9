import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { deliveryAttemptSchema } from './deliveries.ts';
import { invalidBody, schemaFaults } from './schema-faults.ts';
import { base64SecretPrefix } from './shared-constants.ts';
import { type Webhook, webhookFaults, webhookMembers } from './webhook.ts';

/** Maximum number of webhooks of an account. */
export const maxAccountWebhooks = 10;

/** Bytes of a secret that the service chooses. */
const SECRET_BYTES = 32;

const id = Type.String({ description: 'ID of the webhook.' });
const closed = { additionalProperties: false };

/** A new webhook of an account. */
export const newWebhookSchema = Type.Object(
  { url: webhookMembers.url, secret: Type.Optional(webhookMembers.secret) },
  { ...closed, description: 'Without a secret, the service chooses one.' },
);

/** A webhook of an account. */
export const accountWebhookSchema = Type.Object({
  id,
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'null if it was encrypted with a secret that the service no longer has: delete the webhook.',
  }),
  createdAt: Type.String({ format: 'date-time' }),
});

/** A webhook of an account. */
export type AccountWebhook = Type.Static<typeof accountWebhookSchema>;

/** The response to the creation of a webhook. */
export const createdWebhookSchema = Type.Object({
  ...accountWebhookSchema.properties,
  url: Type.String(),
  secret: Type.String({ description: 'Secret that signs the requests. It is returned only here.' }),
});

/** The response to the creation of a webhook. */
export type CreatedWebhook = Type.Static<typeof createdWebhookSchema>;

/** The webhooks of an account. */
export const webhookListSchema = Type.Object({
  webhooks: Type.Array(accountWebhookSchema, { maxItems: maxAccountWebhooks, description: 'In order of creation.' }),
});

/** The receiver of a test event. */
export const webhookTestSchema = Type.Object(
  {
    webhookId: Type.Optional(id),
    url: Type.Optional(webhookMembers.url),
    secret: Type.Optional(webhookMembers.secret),
  },
  { ...closed, description: 'Either `webhookId`, or `url` and `secret`.' },
);

/** The result of a test. */
export const webhookTestResultSchema = Type.Object({
  id: Type.String({ description: 'The webhook-id header of the request.' }),
  delivered: Type.Boolean({ description: 'Whether the receiver accepted the event.' }),
  ...deliveryAttemptSchema.properties,
});

/** The result of a test. */
export type WebhookTestResult = Type.Static<typeof webhookTestResultSchema>;

/** The receiver of a test event: a stored webhook, or any URL with a secret. */
export type WebhookTestTarget = { readonly webhookId: string } | Webhook;

const newWebhookValidator = Compile(newWebhookSchema);
const webhookTestValidator = Compile(webhookTestSchema);

/**
 * Reads a new webhook, with a random secret if it has none.
 *
 * @throws MillraceError `invalid_body`
 */
export function parseNewWebhook(body: unknown): Webhook {
  if (!newWebhookValidator.Check(body)) throw invalidBody('webhook', schemaFaults(newWebhookValidator, body));
  return checkWebhook({ url: body.url, secret: body.secret ?? randomSecret() });
}

/**
 * Reads the receiver of a test event.
 *
 * @throws MillraceError `invalid_body`
 */
export function parseWebhookTest(body: unknown): WebhookTestTarget {
  if (!webhookTestValidator.Check(body)) throw invalidBody('webhook test', schemaFaults(webhookTestValidator, body));
  const { webhookId, url, secret } = body;
  if (webhookId !== undefined && url === undefined && secret === undefined) return { webhookId };
  if (webhookId === undefined && url !== undefined && secret !== undefined) return checkWebhook({ url, secret });
  throw invalidBody('webhook test', [{ path: '', message: 'must have either webhookId, or url and secret' }]);
}

function checkWebhook(webhook: Webhook): Webhook {
  const faults = webhookFaults(webhook, '');
  if (faults.length > 0) throw invalidBody('webhook', faults);
  return webhook;
}

/** Returns a random secret. Browsers load this file too, so nothing of Node is used. */
function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return base64SecretPrefix + btoa(String.fromCharCode(...bytes));
}
