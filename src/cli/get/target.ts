import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf } from '../../render/jobs/file-name.ts';
import { UsageError } from '../errors/command-errors.ts';

/** Where files go. `-` is the standard output. */
export interface Target {
  /** The place of one of `count` files, by its title and extension. */
  placeOf(file: {
    readonly title: string;
    readonly ext: string;
    readonly number: number;
    readonly count: number;
  }): string;
}

/** What stands for the standard output. */
export const standardOutput = '-';

/**
 * Finds out where files go: by what `--output` names, else into the working folder, under names that are safe whatever
 * the platform calls them.
 */
export async function targetOf(output: string | undefined): Promise<Target> {
  if (output === standardOutput) return single(standardOutput);
  if (output === undefined) return folder('');
  const found = await stat(output).catch(() => undefined);
  return output.endsWith('/') || found?.isDirectory() === true ? folder(output) : single(output);
}

function folder(path: string): Target {
  return {
    placeOf({ title, ext, number, count }) {
      const downloadName = count === 1 ? title : `${title.slice(0, 120)} (${number})`;
      return join(path, fileNameOf({ id: 'millrace', output: { ext, downloadName } }));
    },
  };
}

function single(path: string): Target {
  return {
    placeOf({ count }) {
      if (count === 1) return path;
      throw new UsageError(`These are ${count} files: --output must be a folder, or --item say which one is meant.`);
    },
  };
}
