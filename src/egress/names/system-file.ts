import { readFile, stat } from 'node:fs/promises';

/** Largest file that is read, in bytes. Lists of blocked names in /etc/hosts have a few million. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Creates a reader of a file of the system that may change at any time, such as `/etc/hosts`. The file is parsed again
 * only after it has changed. A file that cannot be read, or that is too large, counts as empty.
 */
export function createSystemFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let version: string | undefined;
  let content = parse('');
  return async () => {
    const { ino, size, mtimeMs } = await stat(path).catch(() => ({ ino: 0, size: 0, mtimeMs: 0 }));
    const current = `${ino} ${size} ${mtimeMs}`;
    if (current !== version) {
      const text = size > MAX_BYTES ? '' : await readFile(path, 'utf8').catch(() => '');
      version = current;
      content = parse(text);
    }
    return content;
  };
}
