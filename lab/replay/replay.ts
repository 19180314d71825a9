import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Exchange, type Handler, sendBytes, sendJson, sendText } from '../http/exchange.ts';
import { describe, readCaptures } from './origins.ts';
import { bodyIdentity, type Origin, type Recording, readResponse } from './recording.ts';

/** Recorded responses, served to matching requests. */
export interface Replay {
  /** Number of recordings, and the number of those with a known request. */
  readonly count: number;
  readonly identified: number;
  /** Returns the recording that matches a request, or undefined. */
  find(request: Origin): Recording | undefined;
  /** Sends the recording that {@link find} returns; returns false if there is no such recording. */
  answer(exchange: Exchange): Promise<boolean>;
  /** Serves every recording by its path in the folder, and a list of them. */
  readonly shelf: Handler;
}

/** Host that serves every recording by its path in the folder. */
export const shelfHost = 'recordings.lab.example';

/** Files in the folder that are not recordings. */
const noRecording = /(^|\/)(INDEX\.json|README\.md|capture\.txt|golden\/.*|shapes\/.*|.*SYNTHETIC.*)$/;

/** Reads a folder of recordings. Only their origins are stored in memory. */
export async function openReplay(folder: string): Promise<Replay> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const captures = await readCaptures(files);
  const recordings = new Map<string, Recording>();
  const byAddress = new Map<string, Recording[]>();
  for (const file of files.toSorted()) {
    const name = path.relative(folder, file).replaceAll(path.sep, '/');
    if (noRecording.test(name)) continue;
    const description = await describe(file, captures).catch((error: unknown) => {
      throw new Error(`The recording ${name} is unreadable; remove it from the folder or repair it.`, { cause: error });
    });
    const recording = { name, file, ...description };
    recordings.set(name, recording);
    if (recording.origin === undefined) continue;
    const place = placeOf(recording.origin);
    byAddress.set(place, [...(byAddress.get(place) ?? []), recording]);
  }

  const find = (request: Origin): Recording | undefined =>
    (byAddress.get(placeOf(request)) ?? [])
      .filter(({ origin }) => origin !== undefined && matches(origin, request))
      .toSorted((a, b) => querySize(b) - querySize(a) || b.date.localeCompare(a.date))[0];

  return {
    count: recordings.size,
    identified: byAddress.values().reduce((sum, list) => sum + list.length, 0),
    find,
    async answer(exchange) {
      const recording = find(originOf(exchange));
      if (recording === undefined) return false;
      await send(exchange, recording);
      return true;
    },
    async shelf(exchange) {
      const name = decodeURIComponent(exchange.url.pathname.slice(1));
      if (name === '') return sendJson(exchange, 200, { recordings: listOf(recordings.values()) });
      const recording = recordings.get(name);
      if (recording === undefined) return sendText(exchange, 404, `There is no recording called ${name}.\n`);
      await send(exchange, recording);
    },
  };
}

function originOf({ request, url, body }: Exchange): Origin {
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  return { method, url, identity: method === 'GET' ? '' : bodyIdentity(jsonOf(body)) };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // A body that is not JSON matches no recording.
    return undefined;
  }
}

function placeOf({ method, url }: Origin): string {
  return `${method} ${url.hostname}${url.pathname.replace(/(?<=.)\/$/, '')}`;
}

/**
 * Returns whether a request matches. A GET must have every parameter of the recorded request and may have more; the
 * body of a POST must have the same identity.
 */
function matches(origin: Origin, request: Origin): boolean {
  if (origin.method !== 'GET') return origin.identity === request.identity;
  return [...origin.url.searchParams].every(([name, value]) => request.url.searchParams.get(name) === value);
}

function querySize({ origin }: Recording): number {
  return origin?.url.searchParams.size ?? 0;
}

async function send(exchange: Exchange, recording: Recording): Promise<void> {
  const { status, headers, body } = await readResponse(recording);
  sendBytes(exchange, status, body, { ...headers, 'x-lab-recording': encodeURI(recording.name) });
}

function listOf(recordings: Iterable<Recording>): unknown[] {
  return Array.from(recordings, ({ name, date, origin }) => ({
    path: name,
    date,
    ...(origin === undefined ? {} : { method: origin.method, url: origin.url.href }),
  }));
}
