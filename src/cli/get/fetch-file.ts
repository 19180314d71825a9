import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MillraceNetworkError } from '#client/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { CommandError } from '../errors/command-errors.ts';
import type { Sidecar } from '../sidecars/sidecars.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkContent } from './check-content.ts';
import type { Choice } from './choose-file.ts';
import { standardOutput } from './destination.ts';
import { downloadChunks } from './download-chunks.ts';
import { fileExistsMessage } from './file-error.ts';
import { type FetchContext, type LocatedFile, locateFile } from './locate-file.ts';
import { type PartFile, type PartIdentity, type PartMetadata, partFileOf } from './part-file.ts';
import { retryRender } from './retry-render.ts';
import { requireReceipt, saveReceipt } from './save-receipt.ts';
import { type FetchedFile, writeToDevice, writeToStream } from './stream-file.ts';

/** A file to fetch, and its path. */
export interface FileRequest {
  readonly choice: Choice;
  /** The link and options, which identify a partial file. */
  readonly query: string;
  readonly path: string;
  readonly force: boolean;
  /** Whether to save the file's receipt next to it. */
  readonly receipt?: boolean;
  /** Whether a partial file stays after a failure, so that it can be resumed. Default: true. */
  readonly keepPart?: boolean;
  /** Files to save next to it. */
  readonly sidecars?: readonly Sidecar[];
}

/**
 * Fetches a file to its path. A partial file stays as `.part`, and the next attempt resumes it.
 *
 * @throws CommandError about the path; errors of the client.
 */
export async function fetchFile(request: FileRequest, context: FetchContext, terminal: Terminal): Promise<FetchedFile> {
  const { choice, path, force } = request;
  if (path === standardOutput) return await writeToStream(choice, path, context, (bytes) => terminal.write(bytes));
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isDirectory() === true) throw new CommandError(`${path} is a folder.`);
  if (entry !== undefined && !entry.isFile()) return await writeToDevice(choice, path, context);
  if (entry !== undefined && !force) throw new CommandError(fileExistsMessage(path));
  const part = partFileOf(path);
  try {
    return await retryRender(() => fetchToPart(request, part, context), context);
  } catch (error) {
    await keepOrDiscard(part, request, context);
    throw error;
  }
}

/** After a failure, keeps what the next attempt can resume: a part with its metadata, or the render of an interruption. */
async function keepOrDiscard(
  part: PartFile,
  { path, choice, keepPart = true }: FileRequest,
  { session, signal, reporter }: FetchContext,
): Promise<void> {
  const hasBytes = (await part.bytes()) > 0;
  const isRendered = choice.start !== undefined;
  // The render of a local service without a data folder ends with this command.
  const isResumable = keepPart && (session.persistent || !isRendered);
  if (isResumable && hasBytes) reporter.say(`${path}.part was kept. Run the same command again to resume.`);
  else await part.discard({ keepMetadata: isResumable && isRendered && signal.aborted });
}

async function fetchToPart(request: FileRequest, part: PartFile, context: FetchContext): Promise<FetchedFile> {
  const { choice, query, path, force, receipt = false } = request;
  const earlierMetadata = await part.readMetadata(query);
  const saveRender = (render: string) => part.saveMetadata({ query, render });
  const file = await locateFile(choice, earlierMetadata?.render, saveRender, context);
  if (receipt) requireReceipt(path, file);
  const existing = await part.bytes();
  const from = canResume(earlierMetadata, file) && existing <= (file.size ?? existing) ? existing : 0;
  const download = (at: number) => downloadRest({ part, query, file, from: at, earlierMetadata }, context);
  let resumedFrom = from;
  const identity = await download(from).catch((error: unknown) => {
    // Starts from the beginning: the file has changed, or the server does not support range requests.
    if (from === 0 || !(error instanceof MillraceNetworkError) || error.fault !== 'changed') throw error;
    resumedFrom = 0;
    return download(0);
  });
  await part.finish(identity, force);
  const saved = receipt ? { receipt: await saveReceipt(path, requireReceipt(path, file), force, context) } : {};
  return { path, label: choice.label, bytes: identity.bytes, resumedFrom, notes: file.notes ?? [], ...saved };
}

/** Whether a partial file is the start of this file. */
function canResume(earlierMetadata: PartMetadata | undefined, file: LocatedFile): boolean {
  if (earlierMetadata === undefined || earlierMetadata.render !== file.render) return false;
  if (earlierMetadata.size === undefined && earlierMetadata.tag === undefined) return false;
  return file.size === undefined || earlierMetadata.size === undefined || file.size === earlierMetadata.size;
}

interface Download {
  readonly part: PartFile;
  readonly query: string;
  readonly file: LocatedFile;
  readonly from: number;
  /** Of the bytes that already exist. */
  readonly earlierMetadata: PartMetadata | undefined;
}

async function downloadRest(
  { part, query, file, from, earlierMetadata }: Download,
  context: FetchContext,
): Promise<PartIdentity> {
  const { reporter, session } = context;
  const metadata: PartMetadata = { query, render: file.render, size: file.size };
  let total = from === 0 ? file.size : (file.size ?? earlierMetadata?.size);
  await checkDiskSpace(part.path, (total ?? 0) - from);
  const chunks = downloadChunks(
    session.client,
    { ...file, ...(total === undefined ? {} : { size: total }) },
    { ...context, from, ...(from === 0 ? {} : { tag: earlierMetadata?.tag, modified: earlierMetadata?.modified }) },
    async (head) => {
      total ??= head.size;
      await checkDiskSpace(part.path, (total ?? 0) - from);
      await part.saveMetadata({ ...metadata, size: total, tag: head.tag, modified: head.modified });
    },
  );
  reporter.step({ stage: 'saving', bytes: from, total });
  const identity = await part.append(from, chunks, (bytes) => reporter.step({ stage: 'saving', bytes, total }));
  await checkPart(part, file, context);
  return identity;
}

/** Compares a complete part with the stated checksum. A part that differs is useless for another attempt. */
async function checkPart(part: PartFile, file: LocatedFile, { signal }: FetchContext): Promise<void> {
  if (typeof file.sha256 !== 'string') return;
  try {
    checkContent(file, await part.sha256(signal));
  } catch (error) {
    if (error instanceof MillraceNetworkError) await part.discard({ keepMetadata: true });
    throw error;
  }
}

/** @throws CommandError if the disk has too little free space for the remaining bytes. */
async function checkDiskSpace(path: string, bytes: number): Promise<void> {
  const folder = dirname(path);
  // If the folder is missing or its free space is unknown, the write itself reports a problem.
  const free = await freeBytes(folder).catch(() => undefined);
  if (free === undefined || free >= bytes) return;
  throw new CommandError(
    `The disk of ${folder} has ${sizeText(free)} free, but ${sizeText(bytes)} are needed. Free up space, ` +
      'then run the same command again.',
  );
}

/** Checks, before any request, that a file can be created at a path. @throws CommandError */
export async function checkPath(path: string, force: boolean): Promise<void> {
  if (path === standardOutput || force || !(await isExistingFile(path))) return;
  throw new CommandError(fileExistsMessage(path));
}

/** Whether a path is that of a file, rather than a device or a folder. */
export async function isExistingFile(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isFile() === true;
}
