import type { Renderable } from './envelope.ts';
import { fetchJson, outcome, type StartedJob, type StatusEvent } from './http-client.ts';

/** Starts the render of an item, and waits for its end. */
export async function renderItem(item: Renderable | undefined): Promise<StatusEvent> {
  if (item?.renderConfig === undefined) throw new Error(`the item has no render config: ${item?.error}`);
  const { renderConfig, repId } = item;
  const started = await fetchJson<StartedJob>(renderConfig.executionUrl);
  if (started.status !== 202 || started.body.jobId !== repId) {
    throw new Error(`the render was not started: ${started.status} ${JSON.stringify(started.body)}`);
  }
  return outcome(renderConfig.sseStatusUrl);
}

/** Returns the file of a render that must succeed. */
export async function fileOf(item: Renderable | undefined): Promise<Buffer> {
  const { output, error } = await renderItem(item);
  if (output === null) throw new Error(`the render of ${item?.label} failed: ${error}`);
  return bytesOf(output.url);
}

/** Returns the content of a link that must work. */
export async function bytesOf(url = ''): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
