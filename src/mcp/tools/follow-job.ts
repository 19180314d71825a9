import Type from 'typebox';
import { MillraceRenderError } from '#client/errors.ts';
import type { Startable } from '#client/renders/job-target.ts';
import type { RenderStatusEvent } from '../../contract/job-status.ts';
import { sleep } from '../../waiting/sleep.ts';
import { toolLimits } from '../limits.ts';
import type { ToolContext } from '../tool.ts';

/** Milliseconds between two requests for the status of a job. */
const POLL_MS = 1_000;

/** The argument that limits the wait for a render. */
export const waitArgument = {
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: toolLimits.wait,
      description: 'Maximum time to wait for the file. If it is not ready by then, call get_status with the job_id.',
      default: toolLimits.defaultWait,
    }),
  ),
} as const;

/**
 * Starts a job and waits for its end. Returns its status, which is unfinished if the wait was too short. The job
 * continues if the call is cancelled.
 *
 * @throws MillraceRenderError if the job has failed; the errors of the client; the signal's reason.
 */
export async function startAndFollow(
  job: Startable,
  waitSeconds: number | undefined,
  context: ToolContext,
): Promise<RenderStatusEvent> {
  await context.ready();
  const { jobId } = await context.client.renders.start(job, { signal: context.signal });
  const event = await followJob(jobId, waitSeconds, context);
  if (event.status === 'failed') throw new MillraceRenderError(event);
  return event;
}

/** Returns the status of a job when it has ended, or when the wait is over. Throws the errors of the client. */
export async function followJob(
  jobId: string,
  waitSeconds: number = toolLimits.defaultWait,
  { client, signal, report }: ToolContext,
): Promise<RenderStatusEvent> {
  const end = performance.now() + waitSeconds * 1_000;
  for (;;) {
    const event = await client.renders.look(jobId, { signal });
    await report(event.progress, event.status);
    if (event.status === 'done' || event.status === 'failed') return event;
    const remaining = end - performance.now();
    if (remaining <= 0) return event;
    await sleep(Math.min(POLL_MS, remaining), signal);
  }
}
