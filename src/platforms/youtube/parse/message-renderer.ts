import { dig } from '../../../parsing/values.ts';
import { readRuns, readText } from './text.ts';

/**
 * Reads a `messageRenderer`, which the site sends instead of items. Drops a final link to the site's help, as in
 * "Comments are turned off. Learn more".
 */
export function readMessage(node: unknown): string | undefined {
  const runs = readRuns(dig(node, 'text')).filter(({ url }) => url === undefined);
  return readText({ runs }) ?? readText(dig(node, 'text'));
}
