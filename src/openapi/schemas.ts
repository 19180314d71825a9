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
import { deliveryOutcomeSchema } from '../contract/delivery-outcome.ts';
import {
  errorSchema,
  extractedContentSchema,
  extractionFailureSchema,
  extractionResultSchema,
  failureSchema,
  metadataResultSchema,
} from '../contract/envelope.ts';
import { jobDescriptionSchema } from '../contract/job.ts';
import { errorCodeSchema } from '../contract/job-failure.ts';
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
  preparedMediaItemSchema,
  renderableMediaItemSchema,
  renderConfigSchema,
  unavailableMediaItemSchema,
} from '../contract/media-items.ts';
import { contentMetadataSchema, metadataParts } from '../contract/metadata.ts';
import { outputNoteSchema } from '../contract/output-note-schema.ts';
import { countryCodeParameter, fieldsParameter, langParameter } from '../contract/parameters.ts';
import { receiptKeySchema, receiptKeysSchema, receiptSchema, receiptStatementSchema } from '../contract/receipt.ts';
import { renderPreviewSchema } from '../contract/render-preview.ts';
import { usageSchema } from '../contract/usage.ts';

const extraction = {
  ExtractionResult: extractionResultSchema,
  MetadataResult: metadataResultSchema,
  ExtractionFailure: extractionFailureSchema,
  ExtractedContent: extractedContentSchema,
  MediaItem: mediaItemSchema,
  RenderableMediaItem: renderableMediaItemSchema,
  PreparedMediaItem: preparedMediaItemSchema,
  UnavailableMediaItem: unavailableMediaItemSchema,
  MediaMetadata: mediaMetadataSchema,
  RenderConfig: renderConfigSchema,
  ContentMetadata: contentMetadataSchema,
  ...metadataParts,
  ResponsePart: fieldsParameter.items,
  CountryCode: countryCodeParameter,
  LanguageCode: langParameter,
  Error: errorSchema,
};

const job = jobDescriptionSchema.properties;

const render = {
  JobDescription: jobDescriptionSchema,
  JobInput: job.inputs.items,
  JobOutput: job.output,
  JobOperation: job.operation,
  ChunkDownload: job.chunkDownload,
  HLSPlaylistDownload: job.HLSPlaylistDownload,
  RequestOptions: job.requestOptions,
  JobState: renderStatusEventSchema.properties.status,
  ErrorCode: errorCodeSchema,
  RenderStartResponse: renderStartSchema,
  CacheResponse: cacheResponseSchema,
  RenderCancelResponse: renderCancelSchema,
  JobBatch: batchSchema,
  LinkedJob: linkedJobSchema,
  StoredJob: storedJobSchema,
  BatchResponse: batchResponseSchema,
  BatchResult: batchResponseSchema.properties.results.items,
  RenderStatusEvent: renderStatusEventSchema,
  NotFoundEvent: notFoundEventSchema,
  RenderOutput: renderOutputSchema,
  OutputNote: outputNoteSchema,
  DeliveryOutcome: deliveryOutcomeSchema,
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

/** Keywords that may stand beside a reference to a schema, as far as this service uses them. */
const siblings = ['description', 'examples', 'maxProperties'] as const;

/**
 * Names and schemas by the JSON text of a schema without {@link siblings}. Objects cannot be compared, because an
 * optional schema is a copy.
 */
const named = new Map(
  Object.entries({ ...extraction, ...render, ...admin }).map(([name, schema]) => [keyOf(schema), { name, schema }]),
);

/** `components.schemas` of the extraction API. */
export const extractionSchemas = components(extraction);

/** `components.schemas` of the render API; they refer to those of the extraction API. */
export const renderSchemas = components(render);

/** `components.schemas` of the admin API. */
export const adminSchemas = components({ ...render, ...admin, Error: extraction.Error });

/** Returns a reference to a schema of the components. */
export function schemaRef(name: SchemaName): SchemaJson {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts a schema to plain JSON, with references to the named schemas that it contains. */
export function schemaJson(schema: TSchema): SchemaJson {
  const members: SchemaJson = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'properties' ? propertiesJson(value) : memberJson(value),
    ]),
  );
  // All enums of the contract contain strings; client generators need the type.
  return Array.isArray(members.enum) ? { type: 'string', ...members } : members;
}

/** Returns a reference to a schema if it is one of the components, otherwise its JSON. */
export function schemaOrRef(schema: TSchema): SchemaJson {
  const match = named.get(keyOf(schema));
  if (match === undefined) return schemaJson(schema);
  const { name, schema: component } = match;
  const own = Object.entries(schema).filter(
    ([keyword, value]) => isSibling(keyword) && value !== Reflect.get(component, keyword),
  );
  return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(own) };
}

function memberJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(memberJson);
  return typeof value === 'object' && value !== null ? schemaOrRef(value) : value;
}

function propertiesJson(properties: Readonly<Record<string, TSchema>>): SchemaJson {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, statedDefault(schemaOrRef(property))]),
  );
}

/**
 * Moves the default of a member to its description. Generators of clients treat a member with a default as always
 * present, which is wrong for what callers send.
 */
function statedDefault({ default: value, description, ...schema }: SchemaJson): SchemaJson {
  const texts = [description, value === undefined ? undefined : `Default: \`${String(value)}\`.`];
  const text = texts.filter((part) => part !== undefined).join(' ');
  return text === '' ? schema : { ...schema, description: text };
}

function components(schemas: Readonly<Record<string, TSchema>>): Readonly<Record<string, SchemaJson>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaJson(schema)]));
}

function keyOf(schema: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isSibling(keyword))));
}

function isSibling(keyword: string): boolean {
  return siblings.some((each) => each === keyword);
}
