import Type from 'typebox';
import { renderStatusEventSchema } from './job-status.ts';

/** Number of jobs on a page of a list. */
export const jobListLimits = { default: 20, max: 100 } as const;

/** A page of a list of jobs. */
export const jobListSchema = Type.Object({
  jobs: Type.Array(renderStatusEventSchema, {
    maxItems: jobListLimits.max,
    description: 'The status of each job, newest first.',
  }),
  nextCursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `cursor` that requests the next page. null on the last page.',
  }),
});

/** A page of a list of jobs. */
export type JobList = Type.Static<typeof jobListSchema>;
