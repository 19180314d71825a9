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

/** What tells whether two ranges belong to the same file. */
interface FileFacts {
  readonly total: number | undefined;
  readonly validator: string | undefined;
  readonly link: number;
}

/**
 * Creates the check for the segments of a playlist, several of which may be ranges of one file. Servers with several
 * backends send different validators for the same file, so files of the same size count as the same.
 */
export function createSharedResources(): SharedResources {
  const files = new Map<string, FileFacts>();
  return {
    check(url, name, { total, validator }, { version: link }) {
      const known = files.get(url);
      if (known === undefined) {
        files.set(url, { total, validator, link });
        return;
      }
      const hasTotals = total !== undefined && known.total !== undefined;
      // Another link may lead to another host, whose validators differ.
      const isSame = hasTotals ? total === known.total : validator === known.validator || link !== known.link;
      if (!isSame) throw new SourceChanged(`${name} is part of another file than the segments before it`);
    },
  };
}
