import type { TSchema } from 'typebox';
import {
  accountWebhookSchema,
  createdWebhookSchema,
  webhookListSchema,
  webhookTestResultSchema,
} from '../contract/account-webhooks.ts';
import { apiKeySchema, issuedKeySchema, monthUsageSchema } from '../contract/admin-api/api-key.ts';
import { auditEntrySchema } from '../contract/admin-api/audit-entry.ts';
import { blockSchema } from '../contract/admin-api/block-routes.ts';
import { adminJobSchema } from '../contract/admin-api/job-routes.ts';
import { nodeSchema } from '../contract/admin-api/node-routes.ts';
import { batchResponseSchema, batchSchema, linkedJobSchema, storedJobSchema } from '../contract/batch.ts';
import { deliveriesSchema, deliverySchema } from '../contract/deliveries.ts';
import { errorSchema, extractedContentSchema, extractionResultSchema, failureSchema } from '../contract/envelope.ts';
import { jobDescriptionSchema } from '../contract/job.ts';
import { jobListSchema } from '../contract/job-list.ts';
import {
  cacheResponseSchema,
  notFoundEventSchema,
  renderCancelSchema,
  renderOutputSchema,
  renderStartSchema,
  renderStatusEventSchema,
} from '../contract/job-status.ts';
import {
  mediaItemSchema,
  mediaMetadataSchema,
  renderableMediaItemSchema,
  renderConfigSchema,
} from '../contract/media-items.ts';
import { contentMetadataSchema } from '../contract/metadata.ts';
import { outputNoteSchema } from '../contract/output-note-schema.ts';
import { receiptKeySchema, receiptKeysSchema, receiptSchema, receiptStatementSchema } from '../contract/receipt.ts';
import { renderPreviewSchema } from '../contract/render-preview.ts';
import { usageSchema } from '../contract/usage.ts';

const extraction = {
  ExtractionResult: extractionResultSchema,
  ExtractedContent: extractedContentSchema,
  MediaItem: mediaItemSchema,
  RenderableMediaItem: renderableMediaItemSchema,
  MediaMetadata: mediaMetadataSchema,
  RenderConfig: renderConfigSchema,
  ContentMetadata: contentMetadataSchema,
  Error: errorSchema,
};

const render = {
  JobDescription: jobDescriptionSchema,
  RenderStartResponse: renderStartSchema,
  CacheResponse: cacheResponseSchema,
  RenderCancelResponse: renderCancelSchema,
  JobBatch: batchSchema,
  LinkedJob: linkedJobSchema,
  StoredJob: storedJobSchema,
  BatchResponse: batchResponseSchema,
  RenderStatusEvent: renderStatusEventSchema,
  NotFoundEvent: notFoundEventSchema,
  RenderOutput: renderOutputSchema,
  OutputNote: outputNoteSchema,
  RenderPlan: renderPreviewSchema,
  Deliveries: deliveriesSchema,
  Delivery: deliverySchema,
  AccountWebhook: accountWebhookSchema,
  CreatedWebhook: createdWebhookSchema,
  WebhookList: webhookListSchema,
  WebhookTestResult: webhookTestResultSchema,
  JobList: jobListSchema,
  Usage: usageSchema,
  Receipt: receiptSchema,
  ReceiptStatement: receiptStatementSchema,
  ReceiptKeys: receiptKeysSchema,
  ReceiptKey: receiptKeySchema,
  Failure: failureSchema,
};

const admin = {
  ApiKey: apiKeySchema,
  IssuedKey: issuedKeySchema,
  MonthUsage: monthUsageSchema,
  AuditEntry: auditEntrySchema,
  Node: nodeSchema,
  AdminJob: adminJobSchema,
  Block: blockSchema,
};

/** The name of a schema among the components of a document. */
type SchemaName = keyof typeof extraction | keyof typeof render | keyof typeof admin;

/** A schema as plain JSON. */
export type SchemaJson = Readonly<Record<string, unknown>>;

/** Names of schemas by their JSON text. Objects cannot be compared, because an optional schema is a copy. */
const names = new Map(
  Object.entries({ ...extraction, ...render, ...admin }).map(([name, schema]) => [jsonText(schema), name]),
);

/** `components.schemas` of the extraction API. */
export const extractionSchemas = components(extraction);

/** `components.schemas` of the render API; they refer to those of the extraction API. */
export const renderSchemas = components(render);

/** `components.schemas` of the admin API. */
export const adminSchemas = components({ ...admin, Error: extraction.Error, Failure: render.Failure });

/** Returns a reference to a schema of the components. */
export function schemaRef(name: SchemaName): SchemaJson {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts a schema to plain JSON, with references to the named schemas that it contains. */
export function schemaJson(schema: TSchema): SchemaJson {
  const members: SchemaJson = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, memberJson(value)]),
  );
  // All enums of the contract contain strings; client generators need the type.
  return Array.isArray(members.enum) ? { type: 'string', ...members } : members;
}

/** Returns a reference to a schema if it is one of the components, otherwise its JSON. */
export function schemaOrRef(schema: TSchema): SchemaJson {
  const name = names.get(jsonText(schema));
  return name === undefined ? schemaJson(schema) : { $ref: `#/components/schemas/${name}` };
}

function memberJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(memberJson);
  return typeof value === 'object' && value !== null ? schemaOrRef(value) : value;
}

function components(schemas: Readonly<Record<string, TSchema>>): Readonly<Record<string, SchemaJson>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaJson(schema)]));
}

function jsonText(schema: object): string {
  return JSON.stringify(schema);
}
