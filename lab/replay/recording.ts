import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** A recorded answer: a file, and the request that it answers where that is known. */
export interface Recording {
  /** Path below the folder of recordings, with forward slashes. */
  readonly name: string;
  readonly file: string;
  /** `exchange`: JSON of a request and its response. `body`: the answer's body alone, which was a plain 200. */
  readonly format: 'exchange' | 'body';
  /** Day on which it was recorded, as YYYY-MM-DD; empty where unknown. */
  readonly date: string;
  readonly origin?: Origin;
}

/** The request that a recording answers. */
export interface Origin {
  readonly method: string;
  readonly url: URL;
  /** What the request's body asks for; see {@link bodyIdentity}. */
  readonly identity: string;
}

/** A recorded answer, ready to be sent. */
interface RecordedResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const unzip = promisify(gunzip);
/** Far above the largest recording; a limit against a damaged file. */
const maxBytes = 64 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  m3u8: 'application/vnd.apple.mpegurl',
};

/** Recorded headers that mean something to the lab's clients; the others belong to the connection of that day. */
const keptHeaders = new Set(['content-type', 'location', 'retry-after', 'set-cookie']);

/** The bytes of a file of recordings, unpacked. */
export async function readUnpacked(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  return file.endsWith('.gz') ? unzip(bytes, { maxOutputLength: maxBytes }) : bytes;
}

/** The answer that a recording holds. */
export async function readResponse({ file, format }: Recording): Promise<RecordedResponse> {
  const bytes = await readUnpacked(file);
  if (format === 'body') {
    const ext = /\.(\w+)(?:\.gz)?$/.exec(file)?.[1] ?? '';
    return { status: 200, headers: { 'content-type': types[ext] ?? 'application/octet-stream' }, body: bytes };
  }
  const { response } = readObject(JSON.parse(bytes.toString()));
  const { status, headers, body } = readObject(response);
  return {
    status: typeof status === 'number' ? status : 200,
    headers: readHeaders(headers),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

/** Members of a request's body that say what it asks for. The others (client versions, nonces) change with the client. */
const askingMembers = ['videoId', 'browseId', 'params', 'query', 'continuation', 'playlistId', 'playlistIndex', 'url'];

/** What a JSON body asks for, as text that is equal for requests that want the same; empty for other bodies. */
export function bodyIdentity(body: unknown): string {
  const members = readObject(body);
  const { clientName } = readObject(readObject(members.context).client);
  const allMembers = { ...members, ...readObject(members.playerRequest) };
  const pairs = askingMembers.flatMap((name) => {
    const value = allMembers[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, unescapePath(`${value}`)]] : [];
  });
  return pairs.length === 0 && clientName === undefined ? '' : JSON.stringify([clientName, ...pairs]);
}

/** The members of an object; none for anything else. */
export function readObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Tokens are sent with and without percent escapes. */
function unescapePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that escapes nothing: the text stands for itself.
    return text;
  }
}

function readHeaders(value: unknown): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(readObject(value)).flatMap(([name, values]): [string, string | string[]][] => {
      if (!keptHeaders.has(name)) return [];
      if (typeof values === 'string') return [[name, values]];
      const list = Array.isArray(values) ? values.filter((item): item is string => typeof item === 'string') : [];
      return [[name, name === 'set-cookie' ? list : list.join(', ')]];
    }),
  );
}
