import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** An HTTP response, read from the bytes of a connection. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name; the last value if a header is repeated. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed if it is complete. */
  readonly body: string;
  /** Whether the body has the length that the headers announce, and nothing follows it. */
  readonly complete: boolean;
}

/**
 * Reads the first response to a request, after interim ones (100 to 199). Returns undefined if there is no response.
 */
export function parseResponse(bytes: Buffer, method: string): RawResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const rest = bytes.subarray(end + 4);
  if (status < 200 && status !== 101) return parseResponse(rest, method);
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^.*?: ?/, '')]),
  );
  const hasBody = method !== 'HEAD' && status !== 101 && status !== 204 && status !== 304;
  const { body, complete } = hasBody ? readBody(headers, rest) : { body: rest, complete: true };
  const text = complete ? decompress(body, headers.get('content-encoding')) : body;
  return { status, headers, body: text.toString(), complete };
}

function readBody(headers: ReadonlyMap<string, string>, rest: Buffer): { body: Buffer; complete: boolean } {
  if (headers.get('transfer-encoding') === 'chunked') return joinChunks(rest);
  const length = Number(headers.get('content-length') ?? rest.length);
  return { body: rest.subarray(0, length), complete: length === rest.length };
}

function joinChunks(bytes: Buffer): { body: Buffer; complete: boolean } {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (line < 0 || !(length > 0)) return { body: Buffer.concat(chunks), complete: line >= 0 && length === 0 };
    chunks.push(bytes.subarray(line + 2, line + 2 + length));
    at = line + 4 + length;
  }
}

function decompress(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'gzip' ? gunzipSync(body) : body;
}
