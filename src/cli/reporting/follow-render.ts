import { type Client, MillraceRenderError } from '#client/index.ts';
import type { Watchable } from '#client/renders/renders.ts';
import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import type { RenderOutput, RenderStatusEvent } from '../../contract/job-status.ts';
import { sizeText } from '../../contract/size-text.ts';
import { CommandError } from '../errors/command-errors.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { Reporter } from './reporter.ts';

/** Time limit. It is longer than any render, since execution URLs and files have expired by then. */
const TIMEOUT_MS = 24 * 3_600_000;

/**
 * Shows the progress of a render until it is done, then prints the notes of its file and the outcome of its delivery.
 *
 * @throws MillraceRenderError if it failed or does not exist; MillraceNetworkError; the signal's reason.
 */
export async function followToEnd(
  client: Client,
  job: Watchable,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<RenderStatusEvent> {
  for await (const event of client.renders.status(job, { signal, timeout: TIMEOUT_MS })) {
    reporter.status(event);
    const { status, output, delivery } = event;
    if (status === 'failed') throw new MillraceRenderError(event);
    if (status !== 'done') continue;
    for (const { message } of output?.notes ?? delivery?.notes ?? []) reporter.say(`Note: ${sanitiseLine(message)}`);
    if (delivery !== undefined) reporter.say(deliveryText(delivery));
    return event;
  }
  throw new Error('the status stream ended without a last event');
}

/**
 * Follows a render whose file is stored, like {@link followToEnd}. Returns its file.
 *
 * @throws CommandError if the service does not state where the file is.
 */
export async function followRender(...call: Parameters<typeof followToEnd>): Promise<RenderOutput> {
  const { output } = await followToEnd(...call);
  if (output === null) {
    throw new CommandError(
      'The service reports that the render is done, but not where its file is. Report this to the operator of the service.',
    );
  }
  return output;
}

function deliveryText({ status, bytes, host, message }: DeliveryOutcome): string {
  if (status === 'delivered') return `Delivered ${sizeText(bytes)} to ${sanitiseLine(host)}`;
  return `Not delivered: ${sanitiseLine(message ?? '')}`;
}
