import { ask, outcome, type Started, type StatusEvent } from './client.ts';
import type { Renderable } from './envelope.ts';

/** Starts a render that is not there yet, and waits for its end. */
export async function rendered(item: Renderable | undefined): Promise<StatusEvent> {
  const { status, body } = await ask<Started>(item?.renderConfig?.executionUrl ?? '');
  if (status !== 202 || body.jobId !== item?.repId) {
    throw new Error(`the render ${item?.repId} was answered ${status}: ${JSON.stringify(body)}`);
  }
  return outcome(item?.renderConfig?.sseStatusUrl ?? '');
}

/** The file of a render that must succeed. */
export async function fileOf(item: Renderable | undefined): Promise<Buffer> {
  const { output, error } = await rendered(item);
  if (output === null) throw new Error(`the render of ${item?.label} failed: ${error}`);
  return bytesOf(output.url);
}

/** What lies at a link that must work. */
export async function bytesOf(url = ''): Promise<Buffer> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}
