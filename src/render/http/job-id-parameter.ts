import type { FastifyRequest } from 'fastify';
import { checkJobIdInPath } from '../../contract/job-id.ts';

/**
 * Checks the id in the path of a request for a job, before a WebSocket is opened.
 *
 * @throws MillraceError See {@link checkJobIdInPath}.
 */
export async function checkJobIdParameter({ params }: FastifyRequest): Promise<void> {
  if (typeof params === 'object' && params !== null && 'jobId' in params) checkJobIdInPath(String(params.jobId));
}
