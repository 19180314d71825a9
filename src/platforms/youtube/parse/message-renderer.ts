import { dig } from '../../../parsing/values.ts';
import { readRuns, readText } from './text.ts';

/**
 * What a `messageRenderer` says in place of items. "Comments are turned off. Learn more" ends in a link to the site's
 * help, which is no part of what it says.
 */
export function readMessage(node: unknown): string | undefined {
  const runs = readRuns(dig(node, 'text')).filter(({ url }) => url === undefined);
  return readText({ runs }) ?? readText(dig(node, 'text'));
}
