import type { FastifyRequest } from 'fastify';
import { checkJobIdInPath } from '../contract/job-id.ts';

/**
 * Checks the id in the path of any request for a job, before a WebSocket is opened.
 *
 * @throws MillraceError as {@link checkJobIdInPath}.
 */
export async function checkJobIdParameter({ params }: FastifyRequest): Promise<void> {
  if (typeof params === 'object' && params !== null && 'jobId' in params) checkJobIdInPath(String(params.jobId));
}
