import type { Terminal } from '../terminal/terminal.ts';
import type { Destination } from './destination.ts';
import type { FileShape } from './file-options.ts';
import type { GetValues } from './get-options.ts';
import type { ItemSelection } from './items.ts';
import type { FetchContext } from './locate-file.ts';
import type { Names } from './names.ts';

/** What every step of `millrace get` needs. */
export interface GetContext extends FetchContext {
  readonly values: GetValues;
  /** The shape of the files, as the options describe it. */
  readonly shape: FileShape;
  /** The items of a post to fetch; undefined for all. */
  readonly items?: ItemSelection | undefined;
  readonly destination: Destination;
  /** The names that files of the command have taken. */
  readonly names: Names;
  /** Whether files that exist are kept and count as fetched, instead of causing an error. */
  readonly keepsExisting: boolean;
  /** Whether to prompt for the quality, if no option sets it. */
  readonly prompts: boolean;
  readonly terminal: Terminal;
}
