import { rmdir, stat } from 'node:fs/promises';
import { join, parse as parsePath } from 'node:path';
import { safeName } from '../../files/safe-name.ts';
import { maxNameBytes } from '../../render/jobs/file-name.ts';
import { UsageError } from '../errors/command-errors.ts';
import { type FieldValues, parseTemplate, type Template } from '../naming/template.ts';
import { codeOf, fileError } from './file-error.ts';

/** The name of one of the files of a link. */
export interface FileTitle {
  readonly title: string;
  /** Distinguishes files with the same title: ` (2)`. */
  readonly suffix?: string;
  readonly ext: string;
  /** Number of files that the link has. */
  readonly count: number;
  /** The values of the fields of a template. */
  readonly fields?: FieldValues;
}

/** The destination of files. `-` is standard output. */
export interface Destination {
  /** Whether several links can have their files there. */
  readonly acceptsMany: boolean;
  /** Whether names contain the position of their file. */
  readonly writesIndex: boolean;
  /** Returns the path for a file. @throws UsageError if the destination is one file and the link has several. */
  pathOf(file: FileTitle): string;
  /** Removes the folder if it is empty and did not exist before. */
  tidy(): Promise<void>;
}

/** The path that means standard output. */
export const standardOutput = '-';

/**
 * Determines the destination of files: `--output`, which can be a template, or the working folder, with file names that
 * are safe for any title.
 *
 * @throws UsageError for a template with unknown fields.
 */
export async function resolveDestination(output: string | undefined): Promise<Destination> {
  if (output === standardOutput) return fileDestination(standardOutput);
  if (output === undefined) return folderDestination('', true);
  const template = parseTemplate(output);
  if (template !== undefined) return templateDestination(template);
  const entry = await stat(output).catch(() => undefined);
  return output.endsWith('/') || entry?.isDirectory() === true
    ? folderDestination(output, entry !== undefined)
    : fileDestination(output);
}

function folderDestination(path: string, existed: boolean): Destination {
  return {
    acceptsMany: true,
    writesIndex: false,
    pathOf({ title, suffix = '', ext }) {
      const ending = `${suffix}.${ext}`;
      const name = safeName(title, ending, maxNameBytes);
      return join(path, `${name === '' ? 'millrace' : name}${ending}`);
    },
    async tidy() {
      if (existed) return;
      await rmdir(path).catch((error: unknown) => {
        // It has files, or was never created.
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw fileError(path, error);
      });
    },
  };
}

function templateDestination(template: Template): Destination {
  return {
    acceptsMany: true,
    writesIndex: template.has('index'),
    pathOf({ title, suffix = '', ext, fields = {} }) {
      const { dir, name, ext: ending } = parsePath(template.pathOf({ title, ...fields, ext }));
      return join(dir, `${name}${suffix}${ending}`);
    },
    tidy: async () => undefined,
  };
}

function fileDestination(path: string): Destination {
  return {
    acceptsMany: false,
    writesIndex: false,
    pathOf({ count }) {
      if (count === 1) return path;
      throw new UsageError(`There are ${count} files. Set --output to a folder, or select one file with --item.`);
    },
    tidy: async () => undefined,
  };
}
