import type { Renderable } from './envelope.ts';
import { fetchJson, outcome, type StartedJob, type StatusEvent } from './http-client.ts';

/** Starts the render of an item that can be rendered, and waits for its end. */
export async function renderItem(item: Renderable | undefined): Promise<StatusEvent> {
  if (item?.renderConfig === undefined) throw new Error(`nothing can be rendered: ${item?.error}`);
  const { renderConfig, repId } = item;
  const started = await fetchJson<StartedJob>(renderConfig.executionUrl);
  if (started.status !== 202 || started.body.jobId !== repId) {
    throw new Error(`the render was not started: ${started.status} ${JSON.stringify(started.body)}`);
  }
  return outcome(renderConfig.sseStatusUrl);
}

/** The file of a render that must succeed. */
export async function fileOf(item: Renderable | undefined): Promise<Buffer> {
  const { output, error } = await renderItem(item);
  if (output === null) throw new Error(`the render of ${item?.label} failed: ${error}`);
  return bytesOf(output.url);
}

/** What lies at a link that must work. */
export async function bytesOf(url = ''): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
