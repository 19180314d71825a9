import { type Client, MillraceRenderError } from '#client/index.ts';
import type { Watchable } from '#client/renders/renders.ts';
import type { RenderOutput } from '../../contract/job-status.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { Reporter } from './reporter.ts';

/** Time limit. It is longer than any render, since execution URLs and files have expired by then. */
const TIMEOUT_MS = 24 * 3_600_000;

/**
 * Shows the progress of a render until its file is ready, then prints the file's notes.
 *
 * @throws MillraceRenderError if it failed or does not exist; MillraceNetworkError; the signal's reason.
 */
export async function followRender(
  client: Client,
  job: Watchable,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<RenderOutput> {
  for await (const event of client.renders.status(job, { signal, timeout: TIMEOUT_MS })) {
    reporter.status(event);
    if (event.status === 'done' && event.output !== null) {
      for (const { message } of event.output.notes ?? []) reporter.say(`Note: ${sanitiseLine(message)}`);
      return event.output;
    }
    if (event.status === 'failed') throw new MillraceRenderError(event);
  }
  throw new Error('the status stream ended without a last event');
}
