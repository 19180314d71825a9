import Type from 'typebox';
import type { FieldFault } from './errors.ts';
import { headerFaults, reservedHeaders } from './request-headers.ts';

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

/** Finds what the schema of a request cannot express. `path` is that of the options in the description. */
export function requestFaults(path: string, options: DescribedRequest): FieldFault[] {
  const faults = headerFaults(`${path}.headers`, options?.headers ?? {}, reservedHeaders);
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
