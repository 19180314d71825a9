import type { LinkState } from './links/source-link.ts';
import { type PartHead, SourceChanged } from './source-request.ts';

/** Checks that all byte ranges of one URL belong to the same file. */
export interface SharedResources {
  /**
   * Call it with the head of each response to a byte range.
   *
   * @throws SourceChanged if an earlier range of the URL belongs to another file.
   */
  check(url: string, name: string, head: PartHead, link: LinkState): void;
}

/** What tells whether two responses belong to the same file. */
type FileFacts = Pick<PartHead, 'total' | 'validator'>;

/**
 * Whether two responses belong to the same file; undefined if nothing tells. Servers with several backends send different
 * validators for the same file, so files of the same size count as the same.
 */
export function isSameFile(known: FileFacts, next: FileFacts): boolean | undefined {
  if (known.total !== undefined && next.total !== undefined) return known.total === next.total;
  if (known.validator === undefined && next.validator === undefined) return undefined;
  return known.validator === next.validator;
}

/** Creates the check for the segments of a playlist, several of which may be ranges of one file. */
export function createSharedResources(): SharedResources {
  const files = new Map<string, FileFacts & { readonly link: number }>();
  return {
    check(url, name, { total, validator }, { version: link }) {
      const next = {
        ...(total === undefined ? {} : { total }),
        ...(validator === undefined ? {} : { validator }),
        link,
      };
      const known = files.get(url);
      if (known === undefined) {
        files.set(url, next);
        return;
      }
      // Another link may lead to another host, whose validators differ.
      const hasTotals = total !== undefined && known.total !== undefined;
      if (link !== known.link && !hasTotals) return;
      if (isSameFile(known, next) === false) {
        throw new SourceChanged(`${name} is part of another file than the segments before it`);
      }
    },
  };
}
