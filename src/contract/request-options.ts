import Type from 'typebox';
import type { FieldFault } from './errors.ts';

/** The request that fetches an outside file: an input, a cover or subtitles. */
export const requestOptionsSchema = Type.Optional(
  Type.Object(
    {
      method: Type.Optional(Type.Enum(['GET', 'POST'], { default: 'GET' })),
      headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 8192 }), { maxProperties: 64 })),
      body: Type.Optional(Type.String({ maxLength: 65_536 })),
    },
    {
      additionalProperties: false,
      description:
        'Request to the source: method, headers (cookies, referer, user-agent) and body. Headers other than ' +
        "User-Agent, Referer, Origin, Accept and Accept-Language are sent only to the origin of the input's URL. A " +
        'job fails if a POST is redirected to another origin with status 307 or 308.',
    },
  ),
);

/** Request options as callers send them. */
type DescribedRequest = Type.Static<typeof requestOptionsSchema> | undefined;

/** The request that fetches an outside file. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Header names that callers may not set: they frame the message or name the host, which the service controls. */
const reservedHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'accept-encoding',
]);

/** Finds what the schema of a request cannot express. `path` is that of the options in the description. */
export function requestFaults(path: string, options: DescribedRequest): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const [name, value] of Object.entries(options?.headers ?? {})) {
    const at = `${path}.headers.${name}`;
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name)) {
      faults.push({ path: `${path}.headers`, message: 'must have valid header names' });
    } else if (reservedHeaders.has(name.toLowerCase())) {
      faults.push({ path: at, message: 'is set by the service; remove it' });
    }
    // RFC 9110 §5.5: visible characters, space, tab and obs-text; never CR, LF or NUL.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      faults.push({ path: at, message: 'must not contain control characters or characters outside Latin-1' });
    }
  }
  if (options?.body !== undefined && options.method !== 'POST') {
    faults.push({ path: `${path}.body`, message: 'requires method POST' });
  }
  return faults;
}

/** Fills in the defaults of a request. */
export function normalizeRequest({
  method = 'GET',
  headers = {},
  body,
}: NonNullable<DescribedRequest> = {}): RequestOptions {
  return { method, headers, ...(body === undefined ? {} : { body }) };
}
