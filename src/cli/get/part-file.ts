import { link, mkdir, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../errors/command-errors.ts';
import { codeOf, fileExistsMessage, withFileErrors } from './file-error.ts';

/** What must be known of a file that came in part, so that the rest can be fetched later. */
export interface PartMetadata {
  /** What was asked for; another question's part is no use. */
  readonly question: string;
  /** The render that makes it, where one does: its status stream, or its id. */
  readonly render?: string | undefined;
  /** Bytes of the whole file. */
  readonly size?: number | undefined;
  /** ETag of the file. */
  readonly tag?: string | undefined;
}

/** What was written of a file, by which it is known. */
export interface Written {
  readonly bytes: number;
  readonly inode: number;
}

/** A file on its way: `name.part`, and beside it a note (`name.part.json`) for who goes on with it. */
export interface PartFile {
  readonly path: string;
  /** The note of an earlier attempt at the same question. */
  earlier(question: string): Promise<PartMetadata | undefined>;
  /** Bytes that are there. */
  bytes(): Promise<number>;
  /** Keeps what is known; readable for the user alone, since it may hold a link. */
  note(note: PartMetadata): Promise<void>;
  /**
   * Writes behind the first `from` bytes, dropping what was there.
   *
   * @throws CommandError where the disk is full or not writable.
   */
  append(from: number, chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): Promise<Written>;
  /**
   * Gives the finished file its name.
   *
   * @throws CommandError where something has it, unless forced, or where the part is not what was written.
   */
  finish(written: Written, force: boolean): Promise<void>;
  /** Removes part and note. */
  discard(): Promise<void>;
}

/** The part of the file that is to be at a path. */
export function partFileOf(path: string): PartFile {
  const part = `${path}.part`;
  const noteAt = `${part}.json`;

  return {
    path,
    async earlier(question) {
      const found = readNote(await readFile(noteAt, 'utf8').catch(() => ''));
      return found?.question === question ? found : undefined;
    },
    bytes: async () => (await stat(part).catch(() => undefined))?.size ?? 0,
    async note(note) {
      await withFileErrors(noteAt, async () => {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(noteAt, `${JSON.stringify(note)}\n`, { mode: 0o600 });
      });
    },
    append: (from, chunks, onBytes) => withFileErrors(part, () => appendTo(part, from, chunks, onBytes)),
    async finish(written, force) {
      await withFileErrors(path, async () => {
        await checkWritten(part, written);
        await (force ? rename(part, path) : renameWithoutReplacing(part, path));
      });
      await rm(noteAt, { force: true });
    },
    async discard() {
      await rm(part, { force: true });
      await rm(noteAt, { force: true });
    },
  };
}

async function appendTo(
  part: string,
  from: number,
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<Written> {
  // A new file each time: who writes the old one, in another terminal, does not write into this one.
  if (from === 0) await rm(part, { force: true });
  const file = await open(part, from === 0 ? 'wx' : 'r+');
  let at = from;
  try {
    await file.truncate(from);
    for await (const chunk of chunks) {
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at);
        done += bytesWritten;
        at += bytesWritten;
      }
      onBytes(at);
    }
    await file.sync();
    const { ino } = await file.stat();
    return { bytes: at, inode: ino };
  } finally {
    await file.close();
  }
}

async function checkWritten(part: string, { bytes, inode }: Written): Promise<void> {
  const { size, ino } = await stat(part);
  if (size === bytes && ino === inode) return;
  throw new CommandError(`Another command has changed ${part} meanwhile. Run this one again when that one is over.`);
}

/** A rename that replaces nothing; where the file system has no hard links, one that looks first. */
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

/** Whether something has this name. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function readNote(text: string): PartMetadata | undefined {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return undefined;
    const { question, render, size, tag } = found as Record<string, unknown>;
    if (typeof question !== 'string') return undefined;
    return {
      question,
      render: typeof render === 'string' ? render : undefined,
      size: typeof size === 'number' ? size : undefined,
      tag: typeof tag === 'string' ? tag : undefined,
    };
  } catch {
    // Cut short or somebody else's: there is no note.
    return undefined;
  }
}
