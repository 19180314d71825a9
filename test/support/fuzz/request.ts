/** A header's name and value; characters up to U+00FF are sent as one byte each. */
export type Header = readonly [name: string, value: string];

/** A generated request. */
export interface FuzzRequest {
  readonly method: string;
  /** The text between the method and the HTTP version. */
  readonly target: string;
  /** All headers, including the framing. */
  readonly headers: readonly Header[];
  /** The bytes after the head, chunked if the headers require it. */
  readonly body: Buffer;
  /** The bytes that are sent instead, if the request was damaged on purpose; they may not be HTTP. */
  readonly damaged?: Buffer;
}

/** Returns the bytes of a request. */
export function bytesOf({ method, target, headers, body, damaged }: FuzzRequest): Buffer {
  if (damaged !== undefined) return damaged;
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Returns a command line (bash) that sends the same bytes again. */
export function commandOf(request: FuzzRequest, origin: string): string {
  const { hostname, port } = new URL(origin);
  if (request.damaged !== undefined) return `printf ${quote(formatOf(request.damaged))} | nc -N ${hostname} ${port}`;
  const { method, target, headers, body } = request;
  const chunked = headers.some(([name]) => name === 'Transfer-Encoding');
  // curl frames a chunked body itself.
  if (chunked) return `printf ${quote(formatOf(bytesOf(request)))} | nc -N ${hostname} ${port}`;
  return [
    `curl --globoff --path-as-is --http1.1 -i -X ${quoteBytes(method)} --request-target ${quoteBytes(target)}`,
    ...['User-Agent', 'Accept'].filter((name) => !names(headers).includes(name)).map((name) => `-H '${name}:'`),
    ...headers.map(([name, value]) => `-H ${quoteBytes(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(method === 'HEAD' ? ['--head'] : []),
    ...(body.length === 0 ? [] : [`--data-binary @<(printf ${quote(formatOf(body))})`]),
    origin,
  ].join(' ');
}

function names(headers: readonly Header[]): readonly string[] {
  return headers.map(([name]) => name);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns bytes in the format of bash's printf. */
function formatOf(bytes: Buffer): string {
  const text = bytes.toString('latin1').replaceAll('%', '%%');
  return text.replaceAll(/[^ -~]|\\/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Quotes a text with one byte per character as a word of bash. */
function quoteBytes(text: string): string {
  if (/^[ -~]*$/.test(text)) return quote(text);
  const escaped = text.replaceAll(/[^ -~]|[\\']/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}
