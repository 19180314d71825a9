import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { OutputNote } from '../../contract/output-notes.ts';
import { checkContent } from './check-content.ts';
import type { Choice } from './choose-file.ts';
import { downloadChunks } from './download-chunks.ts';
import { fileError } from './file-error.ts';
import { type FetchContext, locateFile } from './locate-file.ts';
import { retryRender } from './retry-render.ts';

/** A completely fetched file. */
export interface FetchedFile {
  readonly path: string;
  readonly label: string;
  readonly bytes: number;
  /** Bytes that an earlier attempt had fetched. */
  readonly resumedFrom: number;
  /** How a rendered file differs from its inputs. */
  readonly notes: readonly OutputNote[];
  /** Path of its receipt, if one was saved. */
  readonly receipt?: string;
  /** Paths of the cover, the metadata and the description next to it. */
  readonly sidecars?: readonly string[];
}

/** Fetches a file into a named pipe or a device. The download cannot be resumed. */
export async function writeToDevice(choice: Choice, path: string, context: FetchContext): Promise<FetchedFile> {
  try {
    const device = await open(path, 'w');
    try {
      return await writeToStream(choice, path, context, async (bytes) => {
        await device.writeFile(bytes);
      });
    } finally {
      await device.close();
    }
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Fetches a file into a stream. */
export async function writeToStream(
  choice: Choice,
  path: string,
  context: FetchContext,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<FetchedFile> {
  const { session, reporter } = context;
  let bytes = 0;
  const nothingWritten = () => bytes === 0;
  const fetchOnce = async (): Promise<FetchedFile> => {
    const file = await locateFile(choice, undefined, async () => undefined, context);
    let total = file.size;
    const hash = createHash('sha256');
    const chunks = downloadChunks(session.client, file, context, async ({ size }) => {
      total ??= size;
    });
    for await (const chunk of chunks) {
      await write(chunk);
      hash.update(chunk);
      bytes += chunk.length;
      reporter.step({ stage: 'saving', bytes, total });
    }
    checkContent(file, hash.digest('hex'));
    return { path, label: choice.label, bytes, resumedFrom: 0, notes: file.notes ?? [] };
  };
  return await retryRender(fetchOnce, context, nothingWritten);
}
