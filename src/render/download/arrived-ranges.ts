import { isSameVersion, type VersionFacts } from '../../egress/validator.ts';
import type { PartObserver } from './fetch-part.ts';
import type { LinkState } from './links/source-link.ts';
import type { SizeGuard } from './size-guard.ts';
import { type PartHead, type RangeRequest, type Source, SourceChanged } from './source-request.ts';
import type { StoredVersion } from './version-record.ts';

/** A file that arrives in parts. */
export interface TrackedFile {
  readonly source: Source;
  readonly sizeGuard: SizeGuard;
  /** Called with the bytes that have arrived, and with the size of the file if it is known. */
  readonly onBytes: (bytes: number, total: number | undefined) => void;
}

/** Counts the bytes of a file as its ranges arrive. */
export interface ArrivedRanges {
  /**
   * Returns the observer of one range. `onFirstHead` is called if its response head is the first to arrive for the
   * file.
   */
  observe(part: RangeRequest, onFirstHead?: (head: PartHead) => void): PartObserver;
}

/** The bytes of a file that an earlier run has stored. The other ranges must belong to the same file. */
interface ResumedBytes {
  readonly version: StoredVersion;
  readonly bytes: number;
}

/** Optional parameters of {@link trackArrivedRanges}. */
interface TrackOptions {
  readonly resumedBytes?: ResumedBytes | undefined;
  /** Called with the first head of each new link to a file of which part has arrived. */
  readonly onNewLink?: (head: PartHead) => void;
  /** Whether only some ranges of the file are fetched, so that its size is not limited; default: false. */
  readonly isPartial?: boolean;
}

/** What identifies a file, whichever link leads to it. */
interface FileIdentity {
  readonly total?: number;
  readonly mediaType?: string;
}

/**
 * Counts the bytes of a file as its ranges arrive. Its observers throw SourceChanged for a range of another version of
 * the file. A new link may lead to another host, whose validators differ; its file must have the same size and type.
 */
export function trackArrivedRanges(
  { sizeGuard, onBytes, source }: TrackedFile,
  { resumedBytes, onNewLink, isPartial = false }: TrackOptions = {},
): ArrivedRanges {
  const positions = new Map<number, number>();
  /** What the first response through each link states, by the version of the link. */
  const versions = new Map<number, VersionFacts>();
  const { version: firstLink, received } = source.link.current;
  /** The last link through which stored bytes came in this process. Of earlier processes, only validators are known. */
  const lastStoredLink = received.bytes > 0 ? firstLink : 0;
  let file: FileIdentity | undefined = resumedBytes?.version;
  let receivedBytes = resumedBytes?.bytes ?? 0;
  if (resumedBytes !== undefined) {
    sizeGuard.check(resumedBytes.version.total);
    onBytes(receivedBytes, resumedBytes.version.total);
  }

  /** Whether a head belongs to the file. */
  function belongsTo(known: FileIdentity, head: PartHead, link: LinkState): boolean {
    const version = versions.get(link.version);
    if (version !== undefined) return isSameVersion(version, head) !== false;
    if (resumedBytes !== undefined && link.version <= lastStoredLink) {
      const { total, validators } = resumedBytes.version;
      return validators.some((validator) => isSameVersion({ total, validator }, head) === true);
    }
    return isSameMedia(known, head, link);
  }

  return {
    observe: (part, onFirstHead) => ({
      onHead(head, link) {
        const isFirst = file === undefined;
        if (file !== undefined && !belongsTo(file, head, link)) {
          throw new SourceChanged(`${source.name} has a new version`);
        }
        if (head.total !== undefined && !isPartial) sizeGuard.check(head.total);
        const isNewLink = !isFirst && !versions.has(link.version);
        if (!versions.has(link.version)) versions.set(link.version, head);
        file ??= head;
        if (isFirst) onFirstHead?.(head);
        if (isNewLink) onNewLink?.(head);
      },
      onPosition(position: number) {
        receivedBytes += position - (positions.get(part.from) ?? part.from);
        positions.set(part.from, position);
        sizeGuard.check(receivedBytes);
        onBytes(receivedBytes, file?.total);
      },
      onDecoded: (bytes) => sizeGuard.check(bytes),
    }),
  };
}

/**
 * Whether the file of a new link has the size and type of a file that has arrived in part. An unknown size is not the
 * same.
 */
export function isSameMedia(known: FileIdentity, head: PartHead, { size }: Pick<LinkState, 'size'>): boolean {
  const total = head.total ?? size;
  const hasSameType =
    known.mediaType === undefined || head.mediaType === undefined || known.mediaType === head.mediaType;
  return total !== undefined && total === known.total && head.coding === undefined && hasSameType;
}
