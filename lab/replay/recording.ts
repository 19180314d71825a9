import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Recorded response: a file, and its request if that is known. */
export interface Recording {
  /** Path below the folder of recordings, with forward slashes. */
  readonly name: string;
  readonly file: string;
  /** `exchange`: JSON of a request and its response. `body`: only the body of a response with status 200. */
  readonly format: 'exchange' | 'body';
  /** Date of the recording as YYYY-MM-DD; empty if unknown. */
  readonly date: string;
  readonly origin?: Origin;
}

/** Request of a recording. */
export interface Origin {
  readonly method: string;
  readonly url: URL;
  /** Identity of the request's body; see {@link bodyIdentity}. */
  readonly identity: string;
}

/** Recorded response, ready to send. */
interface RecordedResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const unzip = promisify(gunzip);
/** Maximum size in bytes, far above the largest recording, as a protection against damaged files. */
const maxBytes = 64 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  m3u8: 'application/vnd.apple.mpegurl',
};

/** Recorded headers that matter to the lab's clients; the others belong to the recorded connection. */
const keptHeaders = new Set(['content-type', 'location', 'retry-after', 'set-cookie']);

/** Returns the decompressed bytes of a recording's file. */
export async function readUnpacked(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  return file.endsWith('.gz') ? unzip(bytes, { maxOutputLength: maxBytes }) : bytes;
}

/** Reads the response of a recording. */
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

/** Members of a body that identify its request. The others (client versions, nonces) change with the client. */
const askingMembers = ['videoId', 'browseId', 'params', 'query', 'continuation', 'playlistId', 'playlistIndex', 'url'];

/** Returns the identity of a JSON body as text, which is equal for equivalent requests; empty for other bodies. */
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

/** Returns the members of an object; none for any other value. */
export function readObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Decodes percent escapes, because clients send tokens with and without them. */
function unescapePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text contains a percent sign that escapes nothing, so it is literal.
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
