import { type MemberReader, recordOf, textLike } from './json-changes.ts';

/** Request headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/**
 * Names that no setting may change: Millrace sets them itself for every request, or they would send an account or a
 * false address of the visitor.
 */
const reserved = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);

const reservedPrefixes = ['content-', 'proxy-', 'x-forwarded-'];

const readHeaders = recordOf(
  /^[A-Za-z][A-Za-z0-9-]{0,59}$/,
  textLike(/^[\x20-\x7e]{0,500}$/, 'at most 500 visible ASCII characters'),
);

/** Reads changes of request headers. An empty text removes a header. */
export const headerChanges: MemberReader<Headers> = (value, member) =>
  Object.fromEntries(
    Object.entries(readHeaders(value, member)).map(([name, text]) => {
      const header = name.toLowerCase();
      if (reserved.has(header) || reservedPrefixes.some((prefix) => header.startsWith(prefix))) {
        throw new Error(`must not have ${header} in ${member}: headers cannot change it`);
      }
      return [header, text];
    }),
  );

/** Returns the headers of a request with an operator's changes. */
export function changedHeaders(builtIn: Headers, changes: Headers): Headers {
  return Object.fromEntries(Object.entries({ ...builtIn, ...changes }).filter(([, value]) => value !== ''));
}
