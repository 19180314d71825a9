import { expect } from 'vitest';
import { fetchJson } from './http-client.ts';

/** Returns the body of `/status` that was made after this call: the service makes it again once a second. */
export async function currentStatus<Status>(service: string): Promise<Status> {
  const now = Date.now();
  const read = async () => (await fetchJson<Status & { readonly at: string }>(`${service}/status`)).body;
  let latest = await read();
  const renew = async () => {
    if (Date.parse(latest.at) < now) latest = await read();
    return Date.parse(latest.at);
  };
  await expect.poll(renew).toBeGreaterThanOrEqual(now);
  return latest;
}
