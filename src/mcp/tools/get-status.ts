import Type from 'typebox';
import { jobIdPattern } from '../../contract/job-id.ts';
import { renderStatusEventSchema } from '../../contract/job-status.ts';
import { argumentsOf } from '../argument-schemas.ts';
import { defineTool } from '../tool.ts';
import { followJob, waitArgument } from './follow-job.ts';

/** The tool that returns the status of a render. */
export const getStatusTool = defineTool({
  name: 'get_status',
  title: 'Get the status of a render',
  description: 'Returns the status of a render, and the download link of its file when it is done. Free of charge.',
  input: argumentsOf({
    jobId: Type.String({ pattern: jobIdPattern, description: 'The job_id that render has returned.' }),
    ...waitArgument,
  }),
  output: renderStatusEventSchema,
  readOnly: true,
  run: ({ jobId, waitSeconds }, context) => followJob(jobId, waitSeconds, context),
});
