import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf } from '../../render/jobs/file-name.ts';
import { UsageError } from '../errors/command-errors.ts';

/** The destination of files. `-` is the standard output. */
export interface Target {
  /** Returns the path of one of `count` files, by its title and extension. */
  pathOf(file: {
    readonly title: string;
    readonly ext: string;
    readonly number: number;
    readonly count: number;
  }): string;
}

/** The path that means the standard output. */
export const standardOutput = '-';

/**
 * Determines the destination of files: `--output`, or the working folder with names that are safe whatever the titles.
 */
export async function targetOf(output: string | undefined): Promise<Target> {
  if (output === standardOutput) return single(standardOutput);
  if (output === undefined) return folder('');
  const entry = await stat(output).catch(() => undefined);
  return output.endsWith('/') || entry?.isDirectory() === true ? folder(output) : single(output);
}

function folder(path: string): Target {
  return {
    pathOf({ title, ext, number, count }) {
      const downloadName = count === 1 ? title : `${title.slice(0, 120)} (${number})`;
      return join(path, fileNameOf({ id: 'millrace', output: { ext, downloadName } }));
    },
  };
}

function single(path: string): Target {
  return {
    pathOf({ count }) {
      if (count === 1) return path;
      throw new UsageError(`These are ${count} files: --output must be a folder, or --item say which one is meant.`);
    },
  };
}
