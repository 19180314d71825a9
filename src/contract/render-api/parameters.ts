import Type from 'typebox';
import { jobIdPattern } from '../job-id.ts';
import { exampleJob } from './examples.ts';

/** The path parameter of routes about one job. */
export const jobParameters = Type.Object({
  jobId: Type.String({
    pattern: jobIdPattern,
    description: 'Id of the job: the jobId of a start call, and the repId of a renderable item. Keep it private.',
    examples: [exampleJob.id],
  }),
});

/** The path parameter of routes about a stored description. */
export const storedParameters = Type.Object({ cacheId: Type.String({ description: 'Id of the stored description.' }) });

/** The path parameters of links to media. */
export const linkParameters = Type.Object({
  link: Type.String({ description: 'The sealed part of the link. Opaque; its form may change at any time.' }),
  name: Type.String({ description: 'Name of the file. The link works with any name.' }),
});

/** The sealed part of an execution URL. */
export const order = Type.String({
  description: 'The sealed job description. Opaque; its form may change at any time.',
});

/** Asks a start call for a preview. */
export const plan = Type.Optional(
  Type.Enum(['only'], {
    description: '`only`: nothing is started; the answer says what would be done, with sizes and limits.',
  }),
);
