import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fetchJson } from './http-client.ts';

/** A request that the lab has received. */
export interface LabRequest {
  readonly method: string;
  readonly host: string;
  /** Upper-case code of the country that the request seemed to come from. */
  readonly country: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly path: string;
  readonly range: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytesSent: number;
}

/**
 * Returns a file of the lab's CDN, with faults as query parameters: its link, and the token that finds its requests.
 */
export function labFile(path: string, faults: Record<string, string | number> = {}): { url: string; token: string } {
  const token = randomUUID();
  const query = new URLSearchParams({ token, ...mapValues(faults, String) });
  return { url: `https://cdn.lab.example${path}?${query}`, token };
}

/** Lets the lab respond to the requests with a token that the fault `gate` holds back, and to all later ones. */
export async function openGate(labUrl: string, token: string): Promise<void> {
  const { status } = await fetch(`${labUrl}/_lab/gate?${new URLSearchParams({ token })}`, { method: 'POST' });
  if (status !== 200) throw new Error(`the lab responded ${status} to a request to open a gate`);
}

/** Returns the requests that the lab has received for a token. */
export function requestsWithToken(labUrl: string, token: string): Promise<readonly LabRequest[]> {
  return findRequests(labUrl, { token });
}

/** Returns the requests that the lab has received for a token, for a host, or with the given beginning of the path. */
export async function findRequests(
  labUrl: string,
  which: { readonly token?: string; readonly host?: string; readonly path?: string },
): Promise<readonly LabRequest[]> {
  const { body } = await fetchJson<{ requests: LabRequest[] }>(`${labUrl}/_lab/requests?${new URLSearchParams(which)}`);
  return body.requests;
}

/** Fetches an address of the simulated internet. */
export async function fetchThroughLab(labUrl: string, address: string): Promise<{ status: number; body: Buffer }> {
  const { host, pathname, search } = new URL(address);
  const call = request(`${labUrl}${pathname}${search}`, { headers: { host }, agent: false, timeout: 240_000 });
  const response = Promise.withResolvers<IncomingMessage>();
  call.once('response', response.resolve).once('error', response.reject);
  call.once('timeout', () => call.destroy(new Error(`${address} did not respond`)));
  call.end();
  const answer = await response.promise;
  return { status: answer.statusCode ?? 0, body: await buffer(answer) };
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
