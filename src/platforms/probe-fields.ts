import type { SourceMedia } from '../contract/source-media.ts';
import type { Extraction } from './platform.ts';

/**
 * Returns the paths that have no value in the response of an extraction. An empty text, list or object is not a value.
 *
 * @param paths Paths as in `Probe.expects`, such as `contents.0.videos`.
 */
export function missingFields(extraction: Extraction, paths: readonly string[]): readonly string[] {
  const response = responseOf(extraction);
  return paths.filter((path) => isEmpty(valueAt(response, path)));
}

/** A page of a list in a response. */
export interface ListPage {
  /** The `nextToken`; null on the last page. */
  readonly nextToken: string | null;
  /** The entries of its lists, each as JSON. */
  readonly entries: readonly string[];
}

/** Returns the page at a path, such as `metadata.playlist`; undefined if there is no object with a `nextToken`. */
export function listPageAt(extraction: Extraction, path: string): ListPage | undefined {
  const page = valueAt(responseOf(extraction), path);
  if (typeof page !== 'object' || page === null || !('nextToken' in page)) return undefined;
  const { nextToken } = page;
  const entries = Object.values(page).flatMap((value: unknown) => (Array.isArray(value) ? value : []));
  return {
    nextToken: typeof nextToken === 'string' ? nextToken : null,
    entries: entries.map((entry) => JSON.stringify(entry)),
  };
}

/** Returns an extraction in the shape that callers receive. */
function responseOf({ contents, metadata }: Extraction): unknown {
  return {
    metadata,
    contents: contents?.map(({ videos, audios, images }) => ({
      ...itemsOf('videos', videos),
      ...itemsOf('audios', audios),
      ...itemsOf('images', images),
    })),
  };
}

function itemsOf(name: string, media: readonly SourceMedia[] | undefined): Readonly<Record<string, unknown>> {
  return media === undefined ? {} : { [name]: media.map(({ item }) => item) };
}

function valueAt(root: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Readonly<Record<string, unknown>>)[name];
  }, root);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
