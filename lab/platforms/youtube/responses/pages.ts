import { decodeMessage, encodeMembers, inner, message, numberOf, textOf } from '../protobuf.ts';
import type { Node } from '../shapes/basics.ts';

/** Start of a page of a list. */
export interface PageToken {
  /** Name by which the endpoint knows the list. */
  readonly list: string;
  readonly offset: number;
}

/** List of the site whose entries are generated on request. */
export interface List {
  readonly name: string;
  readonly size: number;
  readonly perPage: number;
  at(index: number): Node;
}

/** Member of a browse continuation that contains everything else. */
const body = 80_226_972;

/** Returns the token of a page, in the envelope of the site's browse tokens. */
export function writeToken({ list, offset }: PageToken): string {
  return encodeMembers([body, message([2, list], [3, message([1, offset])])]);
}

/** Reads the output of {@link writeToken}; returns undefined for any other text. */
export function readToken(token: string): PageToken | undefined {
  const message = inner(decodeMessage(token), body);
  const list = textOf(message, 2);
  const offset = numberOf(inner(message, 3), 1);
  return list === undefined || offset === undefined ? undefined : { list, offset };
}

/** Returns the entries of a page, and its continuation in the shape of `more` if there are more entries. */
export function pageOf({ name, size, perPage, at }: List, offset: number, more: (token: string) => Node): Node[] {
  const end = Math.min(offset + perPage, size);
  const items = Array.from({ length: Math.max(0, end - offset) }, (_, index) => at(offset + index));
  return end < size ? [...items, more(writeToken({ list: name, offset: end }))] : items;
}
