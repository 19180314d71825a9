import Type from 'typebox';
import { MillraceError } from '../errors.ts';
import { checkJobIdInPath, jobIdPattern } from '../job-id.ts';
import { exampleJob } from './examples.ts';
import type { RouteParameters } from './route.ts';

/** The path parameter of routes about one job. */
export const jobParameters = {
  schema: Type.Object({
    jobId: Type.String({
      pattern: jobIdPattern,
      description: 'ID of the job: the jobId of a start response, or the repId of a renderable item. Keep it private.',
      examples: [exampleJob.id],
    }),
  }),
  parse(values) {
    checkJobIdInPath(String(values.jobId));
    return values;
  },
} as const satisfies RouteParameters;

/** The path parameters of routes about a delivery of a job's last status event. */
export const deliveryParameters = {
  schema: Type.Object({
    ...jobParameters.schema.properties,
    deliveryId: Type.String({ description: 'ID of the delivery.' }),
  }),
  parse: jobParameters.parse,
} as const satisfies RouteParameters;

/** The path parameter of routes about a webhook of an account. */
export const webhookParameters = {
  schema: Type.Object({ webhookId: Type.String({ description: 'ID of the webhook.' }) }),
} as const satisfies RouteParameters;

/** The path parameter of routes about a stored description. */
export const storedParameters = {
  schema: Type.Object({ cacheId: Type.String({ description: 'ID of the stored description.' }) }),
} as const satisfies RouteParameters;

/** The path parameters of links to media. */
export const linkParameters = {
  schema: Type.Object({
    link: Type.String({
      description: 'The sealed part of the link. It is opaque, and its format may change at any time.',
    }),
    name: Type.String({ description: 'File name. The link works with any name.' }),
  }),
} as const satisfies RouteParameters;

const order = Type.String({
  description: 'The sealed job description. It is opaque, and its format may change at any time.',
});

const plan = Type.Optional(
  Type.Enum(['only'], {
    description: '`only` starts nothing and returns a preview of the job, with sizes and limits.',
  }),
);

/** The query of a start request: whether it requests only a preview. */
export const startQuery = {
  schema: Type.Object({ plan }),
  parse: (query) => ({ previewOnly: isPreviewOnly(query.plan) }),
} as const satisfies RouteParameters;

/** The query of the execution URL of a render config. */
export const sealedStartQuery = {
  schema: Type.Object({ order, plan }),
  parse: (query) => ({ order: readOrder(query.order), previewOnly: isPreviewOnly(query.plan) }),
} as const satisfies RouteParameters;

/** The query that names the render config whose job is cancelled. */
export const sealedQuery = {
  schema: Type.Object({ order }),
  parse: (query) => ({ order: readOrder(query.order) }),
} as const satisfies RouteParameters;

/** The query of a cancel request by ID: whether it deletes a finished job. */
export const cancelQuery = {
  schema: Type.Object({
    finished: Type.Optional(
      Type.Enum(['delete'], {
        description:
          '`delete` deletes the job if it has finished, with its file. By default, a finished job is unchanged.',
      }),
    ),
  }),
  parse: ({ finished }) => ({ deleteFinished: isChosen('finished', finished, 'delete') }),
} as const satisfies RouteParameters;

/** The query of a batch, which has no preview. */
export const batchQuery = {
  schema: Type.Object({}),
  parse(query) {
    if (isPreviewOnly(query.plan)) {
      throw new MillraceError('invalid_params', 'A batch has no preview. Request a preview of each job instead.');
    }
    return {};
  },
} as const satisfies RouteParameters;

/**
 * Whether a start request asks only for a preview.
 *
 * @throws MillraceError `invalid_params` for any value other than `only`, so that no job starts by mistake.
 */
function isPreviewOnly(plan: unknown): boolean {
  return isChosen('plan', plan, 'only');
}

/**
 * Whether a parameter has its only valid value. An empty value counts as absent.
 *
 * @throws MillraceError `invalid_params` for any other value.
 */
function isChosen(parameter: string, value: unknown, choice: string): boolean {
  if (value === undefined || value === '') return false;
  if (value === choice) return true;
  throw new MillraceError('invalid_params', `${parameter} must be "${choice}" or absent.`, { parameter });
}

/**
 * Returns the order of an execution URL.
 *
 * @throws MillraceError `invalid_url` (403) unless the URL has exactly one order.
 */
function readOrder(order: unknown): string {
  if (typeof order === 'string') return order;
  throw invalidExecutionUrl();
}

/** Creates the error for an execution URL that was altered, or that no service with this secret created. */
export function invalidExecutionUrl(): MillraceError {
  return new MillraceError('invalid_url', 'This execution URL is not valid or was modified. Request a fresh one.', {
    status: 403,
  });
}
