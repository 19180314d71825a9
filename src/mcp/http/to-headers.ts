/** Converts the headers of Node, in which repeated ones are lists, to those of the Fetch standard. */
export function toHeaders(
  received: Readonly<Record<string, number | string | readonly string[] | undefined>>,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one));
  }
  return headers;
}
