import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fetchJson } from './http-client.ts';

/** A request that the lab has seen. */
export interface LabRequest {
  readonly method: string;
  readonly host: string;
  /** Upper-case code of the country that it seemed to come from. */
  readonly country: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly path: string;
  readonly range: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytesSent: number;
}

/** A file of the lab's CDN, with faults as query parameters. Returns its link and the token that finds its requests. */
export function labFile(path: string, faults: Record<string, string | number> = {}): { url: string; token: string } {
  const token = randomUUID();
  const query = new URLSearchParams({ token, ...mapValues(faults, String) });
  return { url: `https://cdn.lab.example${path}?${query}`, token };
}

/** The requests that the lab has seen for a token. */
export function requestsWithToken(labUrl: string, token: string): Promise<readonly LabRequest[]> {
  return findRequests(labUrl, { token });
}

/** The requests that the lab has seen of a host, or whose path begins so. */
export async function findRequests(
  labUrl: string,
  which: { readonly token?: string; readonly host?: string; readonly path?: string },
): Promise<readonly LabRequest[]> {
  const { body } = await fetchJson<{ requests: LabRequest[] }>(`${labUrl}/_lab/requests?${new URLSearchParams(which)}`);
  return body.requests;
}

/** Fetches an address of the outside world that the lab stands for. */
export async function fetchThroughLab(labUrl: string, address: string): Promise<{ status: number; body: Buffer }> {
  const { host, pathname, search } = new URL(address);
  const call = request(`${labUrl}${pathname}${search}`, { headers: { host }, agent: false, timeout: 60_000 });
  const response = Promise.withResolvers<IncomingMessage>();
  call.once('response', response.resolve).once('error', response.reject);
  call.once('timeout', () => call.destroy(new Error(`${address} was not answered`)));
  call.end();
  const answer = await response.promise;
  return { status: answer.statusCode ?? 0, body: await buffer(answer) };
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
