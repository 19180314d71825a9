import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { failureSchema } from './envelope.ts';
import { jobDescriptionSchema } from './job.ts';
import { jobFailureMembers } from './job-failure.ts';
import { renderOutputSchema, renderStartSchema } from './job-status.ts';
import { invalidBody, schemaFaults } from './schema-faults.ts';
import { maxBatchItems } from './shared-constants.ts';

/** Limits of a batch. The size, in bytes, allows for the maximum number of execution URLs at their maximum length. */
export const batchLimits = { items: maxBatchItems, bodySize: 1024 * 1024 } as const;

const closed = { additionalProperties: false } as const;
const itemBounds = { minItems: 1, maxItems: batchLimits.items };

/** A batch item that starts the job of a link: the execution URL of a renderable item or of a stored description. */
export const linkedJobSchema = Type.Object(
  { executionUrl: Type.String({ description: 'An execution URL, used unchanged. It needs no key.' }) },
  closed,
);

/** A batch item that starts a stored description. */
export const storedJobSchema = Type.Object(
  { cacheId: Type.String({ description: 'ID of a stored description. It needs no key.' }) },
  closed,
);

/** The body of a batch. */
export const batchSchema = Type.Object(
  {
    jobs: Type.Array(Type.Union([jobDescriptionSchema, linkedJobSchema, storedJobSchema]), {
      ...itemBounds,
      description:
        'The jobs to start. Execution URLs, stored descriptions and descriptions can be mixed; descriptions need a key.',
    }),
  },
  closed,
);

/** The result of one item of a batch. */
const batchResultSchema = Type.Object({
  statusCode: Type.Integer({
    minimum: 200,
    maximum: 599,
    description: 'HTTP status that starting this job on its own would return.',
  }),
  retryAfter: Type.Optional(Type.Integer({ minimum: 0, description: 'Retry-After of that response, in seconds.' })),
  body: Type.Union([renderStartSchema, failureSchema], { description: 'The body of that response.' }),
  output: Type.Union([renderOutputSchema, Type.Null()], { description: 'The file of a job that is already done.' }),
  ...jobFailureMembers,
});

/** The result of one item of a batch. */
export type BatchResult = Type.Static<typeof batchResultSchema>;

/** The response to a batch. */
export const batchResponseSchema = Type.Object({
  results: Type.Array(batchResultSchema, {
    ...itemBounds,
    description: 'One result for each item, in the same order.',
  }),
});

/** The response to a batch. */
export type BatchResponse = Type.Static<typeof batchResponseSchema>;

// Only the list is checked here: the faults of an item are reported in its result.
const batchValidator = Compile(Type.Object({ jobs: Type.Array(Type.Unknown(), itemBounds) }, closed));
const linkedJobValidator = Compile(linkedJobSchema);
const storedJobValidator = Compile(storedJobSchema);

/**
 * Returns the items of a batch. The items themselves are not checked yet.
 *
 * @throws MillraceError `invalid_body` if the body is not a batch.
 */
export function parseBatch(body: unknown): readonly unknown[] {
  if (batchValidator.Check(body)) return body.jobs;
  throw invalidBody('batch', schemaFaults(batchValidator, body));
}

/** What an item is started from: a link, a stored description, or a description that has not been checked yet. */
type BatchOrigin = { readonly executionUrl: string } | { readonly cacheId: string } | { readonly description: unknown };

/** Reads one item of a batch. An item that is neither a link nor an ID counts as a description. */
export function parseBatchItem(item: unknown): BatchOrigin {
  return linkedJobValidator.Check(item) || storedJobValidator.Check(item) ? item : { description: item };
}
