import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf } from '../../render/jobs/file-name.ts';
import { UsageError } from '../errors/command-errors.ts';

/** The destination of files. `-` is standard output. */
export interface Destination {
  /** Returns the path for one of `count` files, from its title and extension. */
  pathOf(file: {
    readonly title: string;
    readonly ext: string;
    readonly number: number;
    readonly count: number;
  }): string;
}

/** The path that means standard output. */
export const standardOutput = '-';

/**
 * Determines the destination of files: `--output`, or the working folder, with file names that are safe for any title.
 */
export async function resolveDestination(output: string | undefined): Promise<Destination> {
  if (output === standardOutput) return fileDestination(standardOutput);
  if (output === undefined) return folderDestination('');
  const entry = await stat(output).catch(() => undefined);
  return output.endsWith('/') || entry?.isDirectory() === true ? folderDestination(output) : fileDestination(output);
}

function folderDestination(path: string): Destination {
  return {
    pathOf({ title, ext, number, count }) {
      const downloadName = count === 1 ? title : `${title.slice(0, 120)} (${number})`;
      return join(path, fileNameOf({ id: 'millrace', output: { ext, downloadName } }));
    },
  };
}

function fileDestination(path: string): Destination {
  return {
    pathOf({ count }) {
      if (count === 1) return path;
      throw new UsageError(`There are ${count} files. Set --output to a folder, or select one file with --item.`);
    },
  };
}
