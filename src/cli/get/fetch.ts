import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MillraceNetworkError } from '#client/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { CommandError } from '../errors/command-errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Choice } from './choose.ts';
import { chunksOf } from './chunks.ts';
import { standardOutput } from './destination.ts';
import { fileExistsMessage } from './file-error.ts';
import { type FetchTools, type LocatedFile, locate } from './locate.ts';
import { exists, type PartFile, type PartMetadata, partFileOf, type Written } from './part-file.ts';
import { retryIfLost } from './retry-if-lost.ts';
import { type FetchedFile, writeToDevice, writeToStream } from './stream-file.ts';

/** A file to fetch, and its path. */
interface FileRequest {
  readonly choice: Choice;
  /** The link and options, to recognise a partial file. */
  readonly query: string;
  readonly path: string;
  readonly force: boolean;
}

/**
 * Fetches a file to its path. A partial file stays as `.part`, and the next attempt resumes it.
 *
 * @throws CommandError about the path; errors of the client.
 */
export async function fetchFile(request: FileRequest, tools: FetchTools, terminal: Terminal): Promise<FetchedFile> {
  const { choice, path, force } = request;
  if (path === standardOutput) return await writeToStream(choice, path, tools, (bytes) => terminal.write(bytes));
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isDirectory() === true) throw new CommandError(`${path} is a folder.`);
  if (entry !== undefined && !entry.isFile()) return await writeToDevice(choice, path, tools);
  if (entry !== undefined && !force) throw new CommandError(fileExistsMessage(path));
  const part = partFileOf(path);
  try {
    return await retryIfLost(() => fetchToPart(request, part, tools), tools.reporter);
  } catch (error) {
    // Its render ends with this command, so it cannot be resumed.
    if (!tools.session.persistent && choice.start !== undefined) await part.discard();
    else if ((await part.bytes()) > 0) tools.reporter.say(`${path}.part is kept: the same command goes on with it.`);
    throw error;
  }
}

async function fetchToPart(request: FileRequest, part: PartFile, tools: FetchTools): Promise<FetchedFile> {
  const { choice, query, path, force } = request;
  const earlier = await part.earlier(query);
  const saveRender = (render: string) => part.saveMetadata({ query, render });
  const file = await locate(choice, earlier?.render, saveRender, tools);
  const existing = await part.bytes();
  const from = canResume(earlier, file) && existing <= (file.size ?? existing) ? existing : 0;
  const download = (at: number) => fetchRest({ part, query, file, from: at, tag: earlier?.tag }, tools);
  let resumedFrom = from;
  const written = await download(from).catch((error: unknown) => {
    // The file has changed, or the server does not send ranges.
    if (from === 0 || !(error instanceof MillraceNetworkError) || error.fault !== 'changed') throw error;
    resumedFrom = 0;
    return download(0);
  });
  await part.finish(written, force);
  return { path, label: choice.label, bytes: written.bytes, resumedFrom, notes: file.notes ?? [] };
}

/** Whether a partial file is the beginning of this file. */
function canResume(earlier: PartMetadata | undefined, file: LocatedFile): boolean {
  if (earlier === undefined || earlier.render !== file.render) return false;
  if (earlier.size === undefined && earlier.tag === undefined) return false;
  return file.size === undefined || earlier.size === undefined || file.size === earlier.size;
}

interface Download {
  readonly part: PartFile;
  readonly query: string;
  readonly file: LocatedFile;
  readonly from: number;
  readonly tag: string | undefined;
}

async function fetchRest({ part, query, file, from, tag }: Download, tools: FetchTools): Promise<Written> {
  const { signal, reporter, session } = tools;
  const metadata: PartMetadata = { query, render: file.render, size: file.size };
  let total = file.size;
  await checkDiskSpace(part.path, (total ?? 0) - from);
  const chunks = chunksOf(session.client, file, { signal, from, ...(from === 0 ? {} : { tag }) }, async (head) => {
    total ??= head.size;
    await checkDiskSpace(part.path, (total ?? 0) - from);
    await part.saveMetadata({ ...metadata, size: total, tag: head.tag });
  });
  reporter.step({ stage: 'saving', bytes: from, total });
  return await part.append(from, chunks, (bytes) => reporter.step({ stage: 'saving', bytes, total }));
}

/** @throws CommandError if the disk has too little space for so many more bytes. */
async function checkDiskSpace(path: string, bytes: number): Promise<void> {
  const folder = dirname(path);
  // If the folder is missing or its space unknown, writing reports it.
  const free = await freeBytes(folder).catch(() => undefined);
  if (free === undefined || free >= bytes) return;
  throw new CommandError(
    `The disk of ${folder} has ${sizeText(free)} left, and ${sizeText(bytes)} are needed. Make room, ` +
      'then run the same command again.',
  );
}

/** Checks, before any request, that a file can be created at a path. @throws CommandError */
export async function checkPath(path: string, force: boolean): Promise<void> {
  if (path === standardOutput || force || !(await exists(path))) return;
  if ((await stat(path)).isFile()) throw new CommandError(fileExistsMessage(path));
}
