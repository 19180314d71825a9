import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MillraceNetworkError } from '#client/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { CommandError } from '../report-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { againIfLost } from './again-if-lost.ts';
import type { Choice } from './choose.ts';
import { chunksOf } from './chunks.ts';
import { alreadyThere } from './file-error.ts';
import { type FetchTools, type Located, locate } from './locate.ts';
import { exists, type PartFile, type PartNote, partFileOf, type Written } from './part-file.ts';
import { standardOutput } from './target.ts';
import { type Fetched, toDevice, toStream } from './to-stream.ts';

/** A file to fetch, and where it goes. */
export interface Wanted {
  readonly choice: Choice;
  /** What was asked for, by which a part of it is known again. */
  readonly question: string;
  readonly path: string;
  readonly force: boolean;
}

/**
 * Fetches a file to its place. What came in part stays as `.part`, and the next attempt goes on with it.
 *
 * @throws CommandError about the place; errors of the client.
 */
export async function fetchFile(wanted: Wanted, tools: FetchTools, terminal: Terminal): Promise<Fetched> {
  const { choice, path, force } = wanted;
  if (path === standardOutput) return await toStream(choice, path, tools, (bytes) => terminal.write(bytes));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) throw new CommandError(`${path} is a folder.`);
  if (found !== undefined && !found.isFile()) return await toDevice(choice, path, tools);
  if (found !== undefined && !force) throw new CommandError(alreadyThere(path));
  const part = partFileOf(path);
  try {
    return await againIfLost(() => toPart(wanted, part, tools), tools.reporter);
  } catch (error) {
    // Its render ends with this command, so nobody can go on with it.
    if (!tools.session.lasting && choice.start !== undefined) await part.discard();
    else if ((await part.bytes()) > 0) tools.reporter.say(`${path}.part is kept: the same command goes on with it.`);
    throw error;
  }
}

async function toPart(wanted: Wanted, part: PartFile, tools: FetchTools): Promise<Fetched> {
  const { choice, question, path, force } = wanted;
  const earlier = await part.earlier(question);
  const began = (render: string) => part.note({ question, render });
  const file = await locate(choice, earlier?.render, began, tools);
  const there = await part.bytes();
  const from = goesOn(earlier, file) && there <= (file.size ?? there) ? there : 0;
  const download = (at: number) => toEnd({ part, question, file, from: at, tag: earlier?.tag }, tools);
  let resumedFrom = from;
  const written = await download(from).catch((error: unknown) => {
    // It is another file by now, or comes whole only.
    if (from === 0 || !(error instanceof MillraceNetworkError) || error.fault !== 'changed') throw error;
    resumedFrom = 0;
    return download(0);
  });
  await part.finish(written, force);
  return { path, label: choice.label, bytes: written.bytes, resumedFrom, notes: file.notes ?? [] };
}

/** Whether what is there of a file is the beginning of this one. */
function goesOn(earlier: PartNote | undefined, file: Located): boolean {
  if (earlier === undefined || earlier.render !== file.render) return false;
  if (earlier.size === undefined && earlier.tag === undefined) return false;
  return file.size === undefined || earlier.size === undefined || file.size === earlier.size;
}

interface Download {
  readonly part: PartFile;
  readonly question: string;
  readonly file: Located;
  readonly from: number;
  readonly tag: string | undefined;
}

async function toEnd({ part, question, file, from, tag }: Download, tools: FetchTools): Promise<Written> {
  const { signal, reporter, session } = tools;
  const note: PartNote = { question, render: file.render, size: file.size };
  let total = file.size;
  await checkRoom(part.path, (total ?? 0) - from);
  const chunks = chunksOf(session.client, file, { signal, from, ...(from === 0 ? {} : { tag }) }, async (head) => {
    total ??= head.size;
    await checkRoom(part.path, (total ?? 0) - from);
    await part.note({ ...note, size: total, tag: head.tag });
  });
  reporter.step({ stage: 'saving', bytes: from, total });
  return await part.append(from, chunks, (bytes) => reporter.step({ stage: 'saving', bytes, total }));
}

/** @throws CommandError where the disk has no room for so many bytes more. */
async function checkRoom(path: string, bytes: number): Promise<void> {
  const folder = dirname(path);
  // Where the folder is not there yet, or cannot tell, writing will.
  const free = await freeBytes(folder).catch(() => undefined);
  if (free === undefined || free >= bytes) return;
  throw new CommandError(
    `The disk of ${folder} has ${sizeText(free)} left, and ${sizeText(bytes)} are needed. Make room, ` +
      'then run the same command again.',
  );
}

/** Whether a file can be begun at a path; asked before the service is. @throws CommandError */
export async function checkPlace(path: string, force: boolean): Promise<void> {
  if (path === standardOutput || force || !(await exists(path))) return;
  if ((await stat(path)).isFile()) throw new CommandError(alreadyThere(path));
}
