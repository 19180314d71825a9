import { decodeMessage, encodeMembers, inner, message, numberOf, textOf } from '../protobuf.ts';
import type { Node } from '../shapes/basics.ts';

/** Where a page of a list begins. */
export interface PageToken {
  /** What the list is, in words that its endpoint knows. */
  readonly list: string;
  readonly offset: number;
}

/** A list of the site, which is made entry by entry as it is asked for. */
export interface List {
  readonly name: string;
  readonly size: number;
  readonly perPage: number;
  at(index: number): Node;
}

/** The member of a browse continuation that holds everything else. */
const body = 80_226_972;

/** The token of a page, in the frame that the site's browse tokens have. */
export function writeToken({ list, offset }: PageToken): string {
  return encodeMembers([body, message([2, list], [3, message([1, offset])])]);
}

/** Reads what {@link writeToken} wrote; undefined for any other text. */
export function readToken(token: string): PageToken | undefined {
  const message = inner(decodeMessage(token), body);
  const list = textOf(message, 2);
  const offset = numberOf(inner(message, 3), 1);
  return list === undefined || offset === undefined ? undefined : { list, offset };
}

/** The entries of a page, and its continuation as `more` shapes it where there is more. */
export function pageOf({ name, size, perPage, at }: List, offset: number, more: (token: string) => Node): Node[] {
  const end = Math.min(offset + perPage, size);
  const items = Array.from({ length: Math.max(0, end - offset) }, (_, index) => at(offset + index));
  return end < size ? [...items, more(writeToken({ list: name, offset: end }))] : items;
}
