import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { failureSchema } from './envelope.ts';
import { jobDescriptionSchema } from './job.ts';
import { jobFailureMembers } from './job-failure.ts';
import { invalidBody, schemaFaults } from './schema-faults.ts';
import { renderOutputSchema, renderStartSchema } from './status.ts';

/** Bounds of a batch. The size, in bytes, holds as many execution URLs as there may be items, however long they are. */
export const batchLimits = { items: 50, bodySize: 1024 * 1024 } as const;

const closed = { additionalProperties: false } as const;
const listed = { minItems: 1, maxItems: batchLimits.items };

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

/** The body of a batch, as callers write it. */
export const batchSchema = Type.Object(
  {
    jobs: Type.Array(Type.Union([jobDescriptionSchema, linkedJobSchema, storedJobSchema]), {
      ...listed,
      description: 'What is to be started, in any mixture. Descriptions need a key.',
    }),
  },
  closed,
);

/** How one item of a batch fared. */
export const batchResultSchema = Type.Object({
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

/** How one item of a batch fared. */
export type BatchResult = Type.Static<typeof batchResultSchema>;

/** Answer of a batch. */
export const batchResponseSchema = Type.Object({
  results: Type.Array(batchResultSchema, { ...listed, description: 'One for each item, in their order.' }),
});

/** Answer of a batch. */
export type BatchResponse = Type.Static<typeof batchResponseSchema>;

// What is wrong with an item is that item's result.
const envelope = Compile(Type.Object({ jobs: Type.Array(Type.Unknown(), listed) }, closed));
const linked = Compile(linkedJobSchema);
const stored = Compile(storedJobSchema);

/**
 * Reads the items of a batch, none of which is checked yet.
 *
 * @throws MillraceError `invalid_body` where it is no batch.
 */
export function parseBatch(body: unknown): readonly unknown[] {
  if (envelope.Check(body)) return body.jobs;
  throw invalidBody('batch', schemaFaults(envelope, body));
}

/** What an item is started from: a link, a stored description, or a description that is still to be checked. */
export type BatchOrigin =
  | { readonly executionUrl: string }
  | { readonly cacheId: string }
  | { readonly description: unknown };

/** Reads one item of a batch: whatever is no link and no id is taken for a description. */
export function parseBatchItem(item: unknown): BatchOrigin {
  return linked.Check(item) || stored.Check(item) ? item : { description: item };
}
