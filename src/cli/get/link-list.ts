import { createReadStream } from 'node:fs';
import { UsageError } from '../errors/command-errors.ts';
import { standardOutput } from './destination.ts';

/** Maximum length of a list of links. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Maximum number of links in a list. */
const MAX_LINKS = 10_000;

/**
 * Reads links from a file, or from `input` if the path is `-`: one on each line. Empty lines and lines that start with
 * `#` are ignored.
 *
 * @throws UsageError if the list is too long or cannot be read.
 */
export async function readLinkList(
  path: string,
  input: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<string[]> {
  const name = path === standardOutput ? 'standard input' : path;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of path === standardOutput ? input : createReadStream(path, { signal })) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new UsageError(`The list of links in ${name} is longer than 4 MB. Split it.`);
      chunks.push(Buffer.from(chunk));
      signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The list of links cannot be read from ${name}.`, { cause: error });
  }
  const lines = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const links = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (links.length <= MAX_LINKS) return links;
  throw new UsageError(`${name} lists ${links.length} links. The maximum is ${MAX_LINKS}; split the list.`);
}
