import Type from 'typebox';
import type { NewJob } from '#client/renders/job-target.ts';
import { jobDescriptionSchema } from '../../contract/job.ts';
import { renderStatusEventSchema } from '../../contract/job-status.ts';
import { argumentsOf } from '../argument-schemas.ts';
import { defineTool } from '../tool.ts';
import { startAndFollow, waitArgument } from './follow-job.ts';

// An assistant receives no webhooks.
const { id, webhook: _, ...members } = jobDescriptionSchema.properties;

/** The tool that renders files from the caller's own links. */
export const renderJobTool = defineTool({
  name: 'render_job',
  title: 'Render your own links',
  description:
    'Makes a file from direct media links of your own: merges, converts, cuts or extracts. For links to platforms, use ' +
    'render. Returns the download link if the file is ready in time.',
  input: argumentsOf({
    job: Type.Object(
      { id: Type.Optional(id), ...members },
      { additionalProperties: false, description: 'The job, as for POST /api/v1/render/execute.' },
    ),
    ...waitArgument,
  }),
  output: renderStatusEventSchema,
  readOnly: false,
  startsJobs: true,
  // The cast is safe: the service checks the job.
  run: ({ job, waitSeconds }, context) => startAndFollow(job as NewJob, waitSeconds, context),
});
