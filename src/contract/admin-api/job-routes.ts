import Type from 'typebox';
import { type ErrorCode, errorCatalogue } from '../errors.ts';
import { jobListLimits } from '../job-list.ts';
import { jobStates } from '../job-status.ts';
import { jobListQuery } from '../render-api/job-list-query.ts';
import { refusal } from '../render-api/route.ts';
import { type AdminRoute, adminBase, checkedQuery, jsonBody, refusedBody, unauthorized } from './admin-route.ts';
import { filter, nextCursor, optionalText, reasonSchema, time } from './members.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A job, as administrators see it. It contains nothing of the job's description, and no link. */
export const adminJobSchema = Type.Object({
  id: Type.String(),
  owner: Type.String({ description: 'The account that started it: `extraction:` or `render:` and the ID of the key.' }),
  state: Type.Enum([...jobStates]),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent.' }),
  error: optionalText('Why it failed.'),
  errorCode: Type.Union([Type.Enum(Object.keys(errorCatalogue) as ErrorCode[]), Type.Null()], {
    description: 'Code of the error. null unless the job failed.',
  }),
  requestId: optionalText('ID of the request that started it. null for jobs of versions without request IDs.'),
  run: optionalText('ID of its present run, which the log of its node states. null unless a worker holds it.'),
  worker: optionalText('ID of the worker that holds it.'),
  node: optionalText('ID of the node of that worker.'),
  deaths: count('How many nodes died while they ran it.'),
  fileSize: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Bytes of its finished file.' }),
  createdAt: time('When it was started.'),
  expiresAt: time('When it and its file are deleted.'),
});

const filters = checkedQuery(
  Type.Object({
    owner: filter('Only the jobs of this account.'),
    requestId: filter('Only jobs that the request with this ID started.'),
  }),
);

const parameters = { schema: Type.Object({ id: Type.String({ description: 'ID of the job.' }) }) };
const unknownJob = { 404: refusal('No job has this ID, or it has expired.', 'not_found') };

/** Lists the jobs of all accounts. */
export const listAllJobs = {
  method: 'GET',
  path: `${adminBase}/jobs`,
  summary: 'List the jobs of all accounts',
  description:
    'Returns jobs that have not expired, newest first. To get the next page, repeat the request with `cursor` set to ' +
    '`nextCursor`.',
  query: {
    schema: Type.Object({
      ...jobListQuery.schema.properties,
      ...filters.schema.properties,
    }),
    parse({ state, limit, cursor, ...others }: Readonly<Record<string, unknown>>) {
      const { owner, requestId } = filters.parse(others);
      return { ...jobListQuery.parse({ state, limit, cursor }), owner, requestId };
    },
  },
  responses: {
    200: {
      description: 'A page of the list.',
      schema: Type.Object({
        jobs: Type.Array(adminJobSchema, { maxItems: jobListLimits.max }),
        nextCursor,
      }),
    },
    400: refusal('A parameter is not valid.', 'invalid_params'),
    ...unauthorized,
  },
} as const satisfies AdminRoute;

/** Returns a job of any account. */
export const getAnyJob = {
  method: 'GET',
  path: `${adminBase}/jobs/{id}`,
  summary: 'Get a job of any account',
  description: 'Returns a job that has not expired.',
  parameters,
  responses: { 200: { description: 'The job.', schema: adminJobSchema }, ...unauthorized, ...unknownJob },
} as const satisfies AdminRoute;

/** Cancels a job of any account. */
export const cancelAnyJob = {
  method: 'POST',
  path: `${adminBase}/jobs/{id}/cancel`,
  summary: 'Cancel a job of any account',
  description:
    'Ends a waiting or running job, which fails with the code `cancelled` and the reason in its error. A finished job is ' +
    'left unchanged.',
  parameters,
  body: jsonBody(Type.Object({ reason: reasonSchema }, { additionalProperties: false }), { reason: 'Abuse' }),
  responses: {
    200: {
      description: 'The job after the call.',
      schema: Type.Object({
        status: Type.Enum(['cancelled', 'already_finished']),
        job: adminJobSchema,
      }),
    },
    ...refusedBody,
    ...unauthorized,
    ...unknownJob,
  },
} as const satisfies AdminRoute;
