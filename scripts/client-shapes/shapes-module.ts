import Type, { type TSchema } from 'typebox';
import { batchResponseSchema } from '../../src/contract/batch.ts';
import { deliveryOutcomeSchema } from '../../src/contract/delivery-outcome.ts';
import { extractedContentSchema, extractionResultSchema } from '../../src/contract/envelope.ts';
import { jobListSchema } from '../../src/contract/job-list.ts';
import {
  cacheResponseSchema,
  notFoundEventSchema,
  renderCancelSchema,
  renderOutputSchema,
  renderStartSchema,
  renderStatusEventSchema,
} from '../../src/contract/job-status.ts';
import { mediaItemSchema, mediaMetadataSchema, renderableMediaItemSchema } from '../../src/contract/media-items.ts';
import { contentMetadataSchema, metadataParts } from '../../src/contract/metadata.ts';
import { outputNoteSchema } from '../../src/contract/output-note-schema.ts';
import { renderPreviewSchema } from '../../src/contract/render-preview.ts';
import { formatModule } from '../client-endpoints/endpoints-module.ts';

/** Path of the module below the root. */
export const shapesPath = 'packages/client/src/http/response-shapes.ts';

/** The schemas of responses and of their repeated parts, by their names in the module. */
const schemas = {
  // Errors have been thrown.
  Extraction: Type.Omit(extractionResultSchema, ['error']),
  RenderStart: renderStartSchema,
  RenderPreview: renderPreviewSchema,
  RenderStatusEvent: renderStatusEventSchema,
  NotFoundEvent: notFoundEventSchema,
  RenderCancel: renderCancelSchema,
  StoredJob: cacheResponseSchema,
  Batch: batchResponseSchema,
  JobList: jobListSchema,
  Content: extractedContentSchema,
  MediaItem: mediaItemSchema,
  MediaMetadata: mediaMetadataSchema,
  RenderableMediaItem: renderableMediaItemSchema,
  Metadata: contentMetadataSchema,
  ...metadataParts,
  RenderOutput: renderOutputSchema,
  OutputNote: outputNoteSchema,
  DeliveryOutcome: deliveryOutcomeSchema,
};

/** The members without which the client cannot use a value. Others may be missing: older versions lack some. */
const neededMembers: Readonly<Partial<Record<ShapeName, readonly string[] | 'all that are required'>>> = {
  RenderStart: ['jobId', 'message', 'sseStatusUrl'],
  RenderPreview: 'all that are required',
  RenderStatusEvent: ['job_id', 'status'],
  NotFoundEvent: ['id', 'status'],
  RenderCancel: ['jobId', 'status', 'message'],
  StoredJob: ['executionUrl'],
  MediaItem: ['label', 'url', 'metadata'],
  RenderableMediaItem: ['label', 'executionUrl'],
  MediaMetadata: ['mime_type'],
  ListItem: ['type', 'id'],
  Transcript: ['languages', 'segments', 'startMs', 'durationMs', 'text'],
  Batch: ['results'],
  JobList: ['jobs'],
  RenderOutput: ['url', 'size'],
  OutputNote: 'all that are required',
  DeliveryOutcome: 'all that are required',
};

type ShapeName = keyof typeof schemas;

/** A part of JSON Schema, as far as the contract uses it. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

/** Generates the shapes of the service's responses, which the client checks, from the schemas of the contract. */
export async function shapesModule(root: URL): Promise<string> {
  const entries = Object.entries(schemas).map(
    ([name, schema]) => `  ${name}: ${code(shapeOf(read(schema), name as ShapeName, true))},\n`,
  );
  return await formatModule(
    root,
    shapesPath,
    `// Made by "npm run docs" from the schemas of the contract (scripts/client-shapes/shapes-module.ts).
import type { Shape } from './shape.ts';

/** The shapes of the service's responses, and of their repeated parts. */
export const responseShapes = {
${entries.join('')}} as const satisfies Readonly<Record<string, Shape>>;
`,
  );
}

/** TypeBox's schemas are JSON Schema, but have another type. */
function read(schema: TSchema): Schema {
  return schema as Schema;
}

/**
 * Returns the shape of a schema, apart from whether it may be null, by name if it is one of {@link schemas}.
 *
 * @param owner The shape that it is a part of.
 * @param isOwner Whether it is that shape itself.
 */
function shapeOf(schema: Schema, owner: ShapeName, isOwner = false): Shape {
  const entries = Object.entries(schemas).filter(([each]) => !isOwner || each !== owner);
  const name = entries.find(([, other]) => isSame(read(other), schema))?.[0];
  if (name !== undefined) return name;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return shapeOfAlternatives(alternatives, owner);
  if (schema.enum !== undefined || schema.const !== undefined) return shapeOfValues(schema.enum ?? [schema.const]);
  switch (schema.type) {
    case 'string':
      return schema.pattern === '^https?://' ? 'url' : 'text';
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return shapeOfNumber(schema);
    case 'array':
      return [shapeOf(schema.items ?? {}, owner)];
    case 'object':
      return schema.properties === undefined ? 'object' : shapeOfMembers([schema], owner);
    default:
      return 'any';
  }
}

/** Descriptions of members make copies of a schema, which are the same otherwise. */
function isSame(first: Schema, second: Schema): boolean {
  const text = (schema: Schema) => JSON.stringify({ ...schema, description: undefined });
  return first === second || (second.type === 'object' && text(first) === text(second));
}

function shapeOfAlternatives(alternatives: readonly Schema[], owner: ShapeName): Shape {
  const others = alternatives.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (only === undefined) return 'any';
  return others.length === 1 ? shapeOf(only, owner) : shapeOfMembers(others, owner);
}

function shapeOfValues(values: readonly unknown[]): Shape {
  const types = new Set(values.map((value) => typeof value));
  if (types.size === 1 && types.has('string')) return 'text';
  return types.size === 1 && types.has('boolean') ? 'flag' : 'any';
}

function shapeOfNumber({ type, minimum, maximum }: Schema): Shape {
  if (minimum === undefined || minimum < 0) return 'number';
  if (maximum === 100) return 'percent';
  return type === 'integer' ? 'count' : 'amount';
}

/** Returns the members of one of several objects. */
function shapeOfMembers(objects: readonly Schema[], owner: ShapeName): Shape {
  const needed = neededMembers[owner] ?? [];
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  const members = [...names].map((name) => {
    const isRequired = objects.every(({ required = [] }) => required.includes(name));
    const isNeeded = isRequired && (typeof needed === 'string' || needed.includes(name));
    const schema = objects.find(({ properties = {} }) => name in properties)?.properties?.[name] ?? {};
    const isNullable = schema.anyOf?.some(({ type }) => type === 'null') === true;
    return [`${name}${isNullable ? '|null' : ''}${isNeeded ? '!' : ''}`, shapeOf(schema, owner)] as const;
  });
  return Object.fromEntries(members);
}

function code(shape: Shape): string {
  return JSON.stringify(shape)
    .replace(/"/g, "'")
    .replace(/'([A-Za-z_]+)':/g, '$1: ')
    .replaceAll(',', ', ');
}
