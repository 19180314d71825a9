import type { FieldFault } from './errors.ts';

/** Header names that callers may not set: they frame the message or name the host, which the service controls. */
export const reservedHeaders: ReadonlySet<string> = new Set([
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

/** Finds invalid headers of a request to another host. `path` is that of the headers in the description. */
export function headerFaults(
  path: string,
  headers: Readonly<Record<string, string>>,
  reserved: ReadonlySet<string>,
): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const at = `${path}.${name}`;
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name)) {
      faults.push({ path, message: 'must have valid header names' });
    } else if (reserved.has(name.toLowerCase())) {
      faults.push({ path: at, message: 'is set by the service; remove it' });
    }
    // RFC 9110 §5.5: visible characters, space, tab and obs-text; never CR, LF or NUL.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      faults.push({ path: at, message: 'must not contain control characters or characters outside Latin-1' });
    }
  }
  return faults;
}
