import { link, mkdir, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../errors/command-errors.ts';
import { hashFile } from '../verify/hash-file.ts';
import { codeOf, fileExistsMessage, withFileErrors } from './file-error.ts';

/** The metadata of a partial file, with which a later attempt can resume it. */
export interface PartMetadata {
  /** The link and options of the download. A part of another query cannot be resumed. Stored as `question`. */
  readonly query: string;
  /** Status stream or ID of the render that produces the file, if any. */
  readonly render?: string | undefined;
  /** Size of the whole file in bytes. */
  readonly size?: number | undefined;
  /** ETag of the file. */
  readonly tag?: string | undefined;
  /** Last-Modified of the file, which a weak ETag alone does not identify (RFC 9110 §8.8.1). */
  readonly modified?: string | undefined;
}

/** Identifies the part that was written. */
export interface PartIdentity {
  readonly bytes: number;
  readonly inode: number;
}

/** A partial file, `name.part`, with its metadata in `name.part.json`. */
export interface PartFile {
  readonly path: string;
  /** Reads the metadata of an earlier attempt at the same query. */
  readMetadata(query: string): Promise<PartMetadata | undefined>;
  /** Returns the size of the partial file in bytes. */
  bytes(): Promise<number>;
  /** Returns the SHA-256 of the partial file in hexadecimal. @throws CommandError; the signal's reason. */
  sha256(signal: AbortSignal): Promise<string>;
  /** Saves the metadata, readable only for the user, since it can contain a link. */
  saveMetadata(metadata: PartMetadata): Promise<void>;
  /**
   * Truncates the file to `from` bytes and appends chunks. Creates the folder if it does not exist.
   *
   * @throws CommandError if the disk is full or not writable.
   */
  append(from: number, chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): Promise<PartIdentity>;
  /**
   * Renames the finished file.
   *
   * @throws CommandError if the name exists and `force` is false, or another process changed the part.
   */
  finish(identity: PartIdentity, force: boolean): Promise<void>;
  /** Removes the part, and its metadata unless they are kept. */
  discard(options: { readonly keepMetadata: boolean }): Promise<void>;
}

/** Returns the partial file of the file at a path. */
export function partFileOf(path: string): PartFile {
  const part = `${path}.part`;
  const metadataFile = `${part}.json`;

  return {
    path,
    async readMetadata(query) {
      const metadata = parseMetadata(await readFile(metadataFile, 'utf8').catch(() => ''));
      return metadata?.query === query ? metadata : undefined;
    },
    bytes: async () => (await stat(part).catch(() => undefined))?.size ?? 0,
    sha256: (signal) =>
      withFileErrors(part, async () => {
        const file = await open(part);
        return await hashFile(file, signal).finally(() => file.close());
      }),
    async saveMetadata({ query, ...rest }) {
      await withFileErrors(metadataFile, async () => {
        await createFolder(dirname(path));
        await writeFile(metadataFile, `${JSON.stringify({ question: query, ...rest })}\n`, { mode: 0o600 });
      });
    },
    append: (from, chunks, onBytes) =>
      withFileErrors(part, async () => {
        await createFolder(dirname(path));
        return await appendTo(part, from, chunks, onBytes);
      }),
    async finish(identity, force) {
      await withFileErrors(path, async () => {
        await checkIdentity(part, identity);
        await (force ? rename(part, path) : renameWithoutReplacing(part, path));
      });
      await rm(metadataFile, { force: true });
    },
    async discard({ keepMetadata }) {
      await removeFile(part);
      if (!keepMetadata) await removeFile(metadataFile);
    },
  };
}

/** Removes a file, if there is one. */
async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    // Its folder is a file.
    if (codeOf(error) !== 'ENOTDIR') throw error;
  });
}

/**
 * Creates a folder with its parents, unless it exists. The `recursive` option of Node.js 24 never ends in a file system
 * without new folders, such as `/proc`.
 */
async function createFolder(path: string): Promise<void> {
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) await createFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    // Another download of the command may have created it.
    if ((await stat(path).catch(() => undefined))?.isDirectory() === true) return;
    throw new CommandError(`${path} is not a folder.`, { cause: error });
  }
}

async function appendTo(
  part: string,
  from: number,
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<PartIdentity> {
  // Creates a new file, because another process may still be writing to the old one.
  if (from === 0) await rm(part, { force: true });
  const file = await open(part, from === 0 ? 'wx' : 'r+');
  let position = from;
  try {
    await file.truncate(from);
    for await (const chunk of chunks) {
      for (let offset = 0; offset < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, offset, chunk.length - offset, position);
        offset += bytesWritten;
        position += bytesWritten;
      }
      onBytes(position);
    }
    await file.sync();
    const { ino } = await file.stat();
    return { bytes: position, inode: ino };
  } finally {
    await file.close();
  }
}

async function checkIdentity(part: string, { bytes, inode }: PartIdentity): Promise<void> {
  const { size, ino } = await stat(part);
  if (size === bytes && ino === inode) return;
  throw new CommandError(
    `Another command has changed ${part} in the meantime. Run this command again when the other one has ended.`,
  );
}

/**
 * Renames a file without replacing an existing one. If the file system has no hard links, checks first whether the new
 * name exists.
 */
async function renameWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
    await unlink(from);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (await exists(to)))
      throw new CommandError(fileExistsMessage(to), { cause: error });
    await rename(from, to);
  }
}

/** Whether a path exists. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function parseMetadata(text: string): PartMetadata | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { question: query, render, size, tag, modified } = value as Record<string, unknown>;
    if (typeof query !== 'string') return undefined;
    return {
      query,
      render: typeof render === 'string' ? render : undefined,
      size: typeof size === 'number' ? size : undefined,
      tag: typeof tag === 'string' ? tag : undefined,
      modified: typeof modified === 'string' ? modified : undefined,
    };
  } catch {
    // The metadata is truncated, or was not written by Millrace.
    return undefined;
  }
}
