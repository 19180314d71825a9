import { open } from 'node:fs/promises';
import type { OutputNote } from '../../contract/notes.ts';
import type { Choice } from './choose.ts';
import { chunksOf } from './chunks.ts';
import { fileError } from './file-error.ts';
import { type FetchTools, locate } from './locate.ts';
import { retryIfLost } from './retry-if-lost.ts';

/** A file that has come whole. */
export interface FetchedFile {
  readonly path: string;
  readonly label: string;
  readonly bytes: number;
  /** Bytes that an earlier attempt had brought. */
  readonly resumedFrom: number;
  /** How a rendered file differs from its inputs. */
  readonly notes: readonly OutputNote[];
}

/** Into a pipe or a device, from the beginning: there is nothing to go on with. */
export async function writeToDevice(choice: Choice, path: string, tools: FetchTools): Promise<FetchedFile> {
  try {
    const device = await open(path, 'w');
    try {
      return await writeToStream(choice, path, tools, async (bytes) => {
        await device.writeFile(bytes);
      });
    } finally {
      await device.close();
    }
  } catch (error) {
    throw fileError(path, error);
  }
}

/** To whoever reads. */
export async function writeToStream(
  choice: Choice,
  path: string,
  tools: FetchTools,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<FetchedFile> {
  const { session, reporter, signal } = tools;
  let bytes = 0;
  const nothingWritten = () => bytes === 0;
  const fetchOnce = async (): Promise<FetchedFile> => {
    const file = await locate(choice, undefined, async () => undefined, tools);
    let total = file.size;
    const chunks = chunksOf(session.client, file, { signal }, async ({ size }) => {
      total ??= size;
    });
    for await (const chunk of chunks) {
      await write(chunk);
      bytes += chunk.length;
      reporter.step({ stage: 'saving', bytes, total });
    }
    return { path, label: choice.label, bytes, resumedFrom: 0, notes: file.notes ?? [] };
  };
  return await retryIfLost(fetchOnce, reporter, nothingWritten);
}
