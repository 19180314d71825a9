import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { failureSchema } from './envelope.ts';
import { jobDescriptionSchema } from './job.ts';
import { jobFailureMembers } from './job-failure.ts';
import { renderOutputSchema, renderStartSchema } from './job-status.ts';
import { invalidBody, schemaFaults } from './schema-faults.ts';
import { maxBatchItems } from './shared-constants.ts';

/** Bounds of a batch. The size, in bytes, holds as many execution URLs as there may be items, however long they are. */
export const batchLimits = { items: maxBatchItems, bodySize: 1024 * 1024 } as const;

const closed = { additionalProperties: false } as const;
const itemBounds = { minItems: 1, maxItems: batchLimits.items };

/** An item of a batch: the link of a renderable item, or of a stored description. */
export const linkedJobSchema = Type.Object(
  { executionUrl: Type.String({ description: 'An execution URL, used as it is. It needs no key.' }) },
  closed,
);

/** An item of a batch: a stored description. */
export const storedJobSchema = Type.Object(
  { cacheId: Type.String({ description: 'Id of a stored description. It needs no key.' }) },
  closed,
);

/** The body of a batch. */
export const batchSchema = Type.Object(
  {
    jobs: Type.Array(Type.Union([jobDescriptionSchema, linkedJobSchema, storedJobSchema]), {
      ...itemBounds,
      description: 'What is to be started, in any mixture. Descriptions need a key.',
    }),
  },
  closed,
);

/** The result of one item of a batch. */
const batchResultSchema = Type.Object({
  statusCode: Type.Integer({
    minimum: 200,
    maximum: 599,
    description: 'HTTP status that starting it alone answers with.',
  }),
  retryAfter: Type.Optional(Type.Integer({ minimum: 0, description: 'Seconds: the Retry-After of that answer.' })),
  body: Type.Union([renderStartSchema, failureSchema], { description: 'The body of that answer.' }),
  output: Type.Union([renderOutputSchema, Type.Null()], { description: 'The file of a job that is done already.' }),
  ...jobFailureMembers,
});

/** The result of one item of a batch. */
export type BatchResult = Type.Static<typeof batchResultSchema>;

/** The response to a batch. */
export const batchResponseSchema = Type.Object({
  results: Type.Array(batchResultSchema, { ...itemBounds, description: 'One for each item, in their order.' }),
});

/** The response to a batch. */
export type BatchResponse = Type.Static<typeof batchResponseSchema>;

// Faults of an item are reported in its result.
const batchValidator = Compile(Type.Object({ jobs: Type.Array(Type.Unknown(), itemBounds) }, closed));
const linkedJobValidator = Compile(linkedJobSchema);
const storedJobValidator = Compile(storedJobSchema);

/**
 * Reads the items of a batch, which are not checked yet.
 *
 * @throws MillraceError `invalid_body` if it is not a batch.
 */
export function parseBatch(body: unknown): readonly unknown[] {
  if (batchValidator.Check(body)) return body.jobs;
  throw invalidBody('batch', schemaFaults(batchValidator, body));
}

/** What an item is started from: a link, a stored description, or a description that is not checked yet. */
type BatchOrigin = { readonly executionUrl: string } | { readonly cacheId: string } | { readonly description: unknown };

/** Reads one item of a batch. An item that is not a link or an id counts as a description. */
export function parseBatchItem(item: unknown): BatchOrigin {
  return linkedJobValidator.Check(item) || storedJobValidator.Check(item) ? item : { description: item };
}
