import { MillraceApiError } from '#client/index.ts';
import { client } from '../common/client.ts';
import { requestFreshRender } from '../qualities/request-render.ts';
import { readQuery } from '../query/query.ts';
import type { SavedRender } from './saved-renders.ts';

/** A job that was started. */
export type StartedJob = Pick<SavedRender, 'id' | 'executionUrl' | 'sseStatusUrl'>;

/** Retries of a start request, which is idempotent. */
const START_RETRIES = 2;

/** Failures inside the service. The same job is started again, because the files that it fetched can be reused. */
const serviceFailures: ReadonlySet<string | undefined> = new Set([
  'processing_failed',
  'processing_timeout',
  'result_unproven',
  'storage_failed',
  'at_capacity',
  'worker_lost',
]);

/**
 * Starts a job, or attaches to it if it is running.
 *
 * @throws MillraceApiError, MillraceNetworkError.
 */
export async function startJob(id: string, executionUrl: string): Promise<StartedJob> {
  const { sseStatusUrl } = await client.renders.start(executionUrl, { retries: START_RETRIES });
  return { id, executionUrl, sseStatusUrl };
}

/**
 * Starts the job of a render again. If its links may no longer work, it repeats the query of the render, and starts a
 * new job for the same quality.
 *
 * @param onRepeat Called before the query is repeated.
 * @throws MillraceApiError, MillraceNetworkError; Error if the quality is no longer available.
 */
export async function restartJob(render: SavedRender, onRepeat: () => void): Promise<StartedJob> {
  const { id, executionUrl, source, content = 0 } = render;
  const query = readQuery(source);
  if (query === undefined) return startJob(id, executionUrl);
  if (canKeepLinks(render)) {
    try {
      return await startJob(id, executionUrl);
    } catch (error) {
      if (!isExpiry(error)) throw error;
    }
  }
  onRepeat();
  const { repId, renderConfig } = await requestFreshRender(query, content, render);
  return startJob(repId, renderConfig.executionUrl);
}

/** Whether the links of a render are not at fault. A lost render may still be running. */
function canKeepLinks({ status, cancelled = false, errorCode }: SavedRender): boolean {
  return cancelled || status === 'lost' || serviceFailures.has(errorCode);
}

function isExpiry(error: unknown): boolean {
  return error instanceof MillraceApiError && (error.code === 'expired' || error.code === 'token_expired');
}
