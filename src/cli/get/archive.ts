import { appendFile, readFile, stat } from 'node:fs/promises';
import type { RecognisedLink } from '#client/recognise-link.ts';
import * as platforms from '../../platforms/links.ts';
import { CommandError } from '../errors/command-errors.ts';
import { contentKey } from './content-key.ts';
import { codeOf, fileError } from './file-error.ts';

/** A file that lists what earlier commands have fetched, one `p1 ID` on each line. */
export interface Archive {
  /** Whether a link, or a chapter of it, is listed. */
  includes(link: RecognisedLink, chapter?: number): boolean;
  /** Appends a link, or a chapter of it. @throws CommandError if the file cannot be written. */
  add(link: RecognisedLink, chapter?: number): Promise<void>;
}

/** Maximum size of an archive: over a million lines. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The IDs of platforms by the names that yt-dlp gives them in its archives. */
const platformsByName = new Map(Object.values(platforms).map(({ id, name }) => [name.toLowerCase(), id]));

/**
 * Reads the archive at a path; a missing file is an empty archive. Several processes can use it: each line is appended
 * with a single write.
 *
 * @throws CommandError if the file cannot be read or is too large.
 */
export async function openArchive(path: string): Promise<Archive> {
  const text = await readArchive(path);
  const keys = new Set(text.split('\n').map(parseLine));
  // A file that was edited by hand can lack its last line break.
  let separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    includes: (link, chapter) => keys.has(contentKey(link)) || keys.has(contentKey(link, chapter)),
    async add(link, chapter) {
      const key = contentKey(link, chapter);
      if (keys.has(key)) return;
      keys.add(key);
      const line = `${separator}${key}\n`;
      separator = '';
      try {
        await appendFile(path, line);
      } catch (error) {
        throw fileError(path, error);
      }
    },
  };
}

async function readArchive(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new CommandError(`The archive ${path} is larger than 64 MB.`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw fileError(path, error);
  }
}

/** Returns the key in a line. yt-dlp writes the name of the platform: `youtube ID`. */
function parseLine(line: string): string {
  const [platform = '', id = ''] = line.trim().split(/\s+/, 2);
  return `${platformsByName.get(platform) ?? platform} ${id}`;
}
