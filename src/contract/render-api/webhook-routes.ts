import {
  accountWebhookSchema,
  createdWebhookSchema,
  maxAccountWebhooks,
  newWebhookSchema,
  parseNewWebhook,
  parseWebhookTest,
  webhookListSchema,
  webhookTestResultSchema,
  webhookTestSchema,
} from '../account-webhooks.ts';
import { deliveriesSchema, deliverySchema } from '../deliveries.ts';
import {
  createdWebhookExamples,
  deliveriesExamples,
  exampleReceiver,
  redeliveryExamples,
  webhookExamples,
  webhookListExamples,
  webhookTestExamples,
} from './account-examples.ts';
import { bodyRefusals, keyRefusals, ownerRefusals } from './key-refusals.ts';
import { deliveryParameters, jobParameters, webhookParameters } from './parameters.ts';
import { renderPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

const unknownWebhook = refusal('The account has no webhook with this ID.', 'not_found');

/** Reports the attempts to deliver the last status event of a job. */
export const readDeliveries = {
  ...renderPaths.readDeliveries,
  summary: 'List the webhook deliveries of a job',
  description:
    "Returns the attempts to deliver the job's last status event to its webhook and to those of its account. Requires a key of the account.",
  address: 'api',
  renderKey: 'either',
  parameters: jobParameters,
  responses: {
    200: {
      description: 'The deliveries, available until the job expires.',
      schema: deliveriesSchema,
      examples: deliveriesExamples,
    },
    ...ownerRefusals,
  },
} as const satisfies Route;

/** Sends the last status event of a job again. */
export const redeliver = {
  ...renderPaths.redeliver,
  summary: 'Redeliver a webhook event',
  description:
    'Queues an event that was delivered or given up for delivery again, with the same event ID and the usual retries. The ' +
    'event contains the present status of the job.',
  address: 'api',
  renderKey: 'either',
  parameters: deliveryParameters,
  responses: {
    202: { description: 'The delivery, which is pending.', schema: deliverySchema, examples: redeliveryExamples },
    ...bodyRefusals,
    ...ownerRefusals,
    404: refusal('No job or delivery has this ID, or the job has expired.', 'not_found'),
    409: refusal('The event is still pending, or its webhook is no longer stored.', 'conflict'),
  },
} as const satisfies Route;

/** Lists the webhooks of an account. */
export const listWebhooks = {
  ...renderPaths.listWebhooks,
  summary: 'List your webhooks',
  description: 'Returns the webhooks of the account, without their secrets.',
  address: 'api',
  renderKey: 'either',
  responses: {
    200: { description: 'The webhooks.', schema: webhookListSchema, examples: webhookListExamples },
    ...keyRefusals,
  },
} as const satisfies Route;

/** Adds a webhook to an account. */
export const createWebhook = {
  ...renderPaths.createWebhook,
  summary: 'Add a webhook',
  description:
    'Adds a webhook to the account. It receives the last status event of every job of the account that ends from now on.',
  address: 'api',
  renderKey: 'either',
  body: { schema: newWebhookSchema, parse: parseNewWebhook, example: { url: exampleReceiver } },
  responses: {
    201: {
      description: 'The webhook, with its secret.',
      schema: createdWebhookSchema,
      examples: createdWebhookExamples,
    },
    ...bodyRefusals,
    ...keyRefusals,
    409: refusal(`The account has ${maxAccountWebhooks} webhooks already.`, 'conflict'),
  },
} as const satisfies Route;

/** Removes a webhook from an account. */
export const deleteWebhook = {
  ...renderPaths.deleteWebhook,
  summary: 'Delete a webhook',
  description: 'Removes a webhook from the account. Its events that are still pending are given up.',
  address: 'api',
  renderKey: 'either',
  parameters: webhookParameters,
  responses: {
    200: { description: 'The deleted webhook.', schema: accountWebhookSchema, examples: webhookExamples },
    ...bodyRefusals,
    ...keyRefusals,
    404: unknownWebhook,
  },
} as const satisfies Route;

/** Sends a test event to a webhook. */
export const testWebhook = {
  ...renderPaths.testWebhook,
  summary: 'Test a webhook',
  description:
    'Sends a signed test event immediately, once, and reports how the receiver responded. The event has the shape of a ' +
    'RenderStatusEvent and the additional member `test: true`.',
  address: 'api',
  renderKey: 'either',
  body: {
    schema: webhookTestSchema,
    parse: parseWebhookTest,
    example: { url: exampleReceiver, secret: 'a-secret-of-16-characters' },
  },
  responses: {
    200: {
      description: 'The test event was sent; `delivered` states whether it was accepted.',
      schema: webhookTestResultSchema,
      examples: webhookTestExamples,
    },
    ...bodyRefusals,
    ...keyRefusals,
    404: unknownWebhook,
  },
} as const satisfies Route;
