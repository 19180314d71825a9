import type { HashedBytes, Hasher } from '../../files/hashing/hasher.ts';
import { sizeOf } from '../../files/open-file.ts';
import type { FetchedAdditions } from '../download/additions/fetch-additions.ts';
import type { AddedFiles } from './result-evidence.ts';

/**
 * Returns the hashes of the files that a job adds to its result.
 *
 * @throws UnsafeFileError; an error of the file system; the signal's reason.
 */
export async function hashAdditions(
  { cover, subtitles }: Pick<FetchedAdditions, 'cover' | 'subtitles'>,
  hasher: Pick<Hasher, 'start'>,
  signal: AbortSignal,
): Promise<AddedFiles> {
  const hashFile = async (path: string): Promise<HashedBytes> => {
    const length = await sizeOf(path, { links: 'any' });
    if (length === undefined) throw new Error('an added file is missing or was replaced');
    const { hashed } = await hasher.start([{ path, position: 0, length }], signal);
    return await hashed;
  };
  const hashedSubtitles: AddedFiles['subtitles'] = [];
  for (const { path, addition } of subtitles) hashedSubtitles.push({ addition, ...(await hashFile(path)) });
  return { ...(cover === undefined ? {} : { cover: await hashFile(cover.path) }), subtitles: hashedSubtitles };
}
