import { extract, type JsonResponse } from './http-client.ts';

/** Maximum number of pages to follow: a longer list is a loop. */
const MAX_PAGES = 60;

/** An entry of a list. */
export interface Item {
  readonly type: string;
  readonly id: string;
  readonly [member: string]: unknown;
}

/** An image. */
export interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** A comment or a reply. */
export interface Comment extends Item {
  readonly replyCount?: number;
  readonly repliesToken?: string;
}

/** A page of a list. */
export interface Page<Entry = Item> {
  readonly items: readonly Entry[];
  readonly nextToken: string | null;
}

interface Contents {
  readonly contents: readonly Item[];
  readonly nextToken: string | null;
}

/** A result of p1. */
export interface Result {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly statusCode: number;
    readonly retryable: boolean;
    readonly parameter?: string;
    readonly reason?: string;
  } | null;
  readonly contents?: readonly unknown[];
  readonly metadata: {
    readonly title?: string;
    readonly thumbnailUrl?: string;
    readonly comments?: {
      readonly header?: Readonly<Record<string, unknown>> & { readonly count: number };
      readonly threads: readonly Comment[];
      readonly nextToken: string | null;
    };
    readonly post?: Item;
    readonly playlist?: {
      readonly info?: Readonly<Record<string, unknown>>;
      readonly videos: readonly Item[];
      readonly messages?: readonly string[];
      readonly nextToken: string | null;
    };
    readonly channel?: Readonly<Record<string, unknown>>;
    readonly hashtag?: Contents & Readonly<Record<string, unknown>>;
    readonly additionalData?: {
      readonly searchResults?: {
        readonly results: readonly Item[];
        readonly estimated_results?: number;
        readonly nextToken: string | null;
      };
      readonly searchSuggestions?: readonly string[];
    };
  };
  readonly notes?: readonly string[];
}

/** Requests an endpoint of p1 by its path. */
type FetchP1 = (path: string, query?: Readonly<Record<string, string>>) => Promise<JsonResponse<Result>>;

/** Returns a function that requests the endpoints of p1 of a service. */
export function openP1(serviceUrl: string): FetchP1 {
  return (path, query = {}) => extract<Result>(`${serviceUrl}/p1/v3${path}?${new URLSearchParams(query)}`);
}

/** Returns the list in a result, under any of its names. */
export function listOf({ metadata: { comments, playlist, hashtag, additionalData, channel } }: Result): Page {
  if (comments !== undefined) return { items: comments.threads, nextToken: comments.nextToken };
  if (playlist !== undefined) return { items: playlist.videos, nextToken: playlist.nextToken };
  if (additionalData?.searchResults !== undefined) {
    const { results, nextToken } = additionalData.searchResults;
    return { items: results, nextToken };
  }
  const [list] = hashtag === undefined ? Object.values(channel ?? {}) : [hashtag];
  if (!isContents(list)) throw new Error(`The result has no list: ${JSON.stringify(channel)}`);
  return { items: list.contents, nextToken: list.nextToken };
}

/** Requests a list page by page, to its end. */
export async function everyPage(
  ask: FetchP1,
  path: string,
  query: Readonly<Record<string, string>>,
  firstToken?: string,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let nextToken: string | null = firstToken ?? null;
  do {
    const { body } = await ask(path, nextToken === null ? query : { ...query, nextToken });
    if (body.error !== null) throw new Error(`Page ${pages.length + 1}: ${JSON.stringify(body.error)}`);
    const page = listOf(body);
    pages.push(page);
    if (pages.length > MAX_PAGES) throw new Error(`${path} does not end.`);
    nextToken = page.nextToken;
  } while (nextToken !== null);
  return pages;
}

/** Returns the entries of all pages. */
export const itemsOf = (pages: readonly Page[]): readonly Item[] => pages.flatMap(({ items }) => items);

/** Returns the IDs of entries. */
export const idsOf = (items: readonly Item[]): readonly string[] => items.map(({ id }) => id);

function isContents(value: unknown): value is Contents {
  return typeof value === 'object' && value !== null && 'contents' in value && Array.isArray(value.contents);
}
