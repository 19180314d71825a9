import { sizeOf } from '../../files/open-file.ts';
import { isArrivalSum } from './arrival-sum.ts';
import type { Journal, JournalRecord } from './journal.ts';
import type { ResourceVersion } from './source-request.ts';
import { isByteCount, readVersionRecord } from './version-record.ts';

/** A media resource that is stored in a file. */
export interface StoredResource {
  /** Start offset in the file. */
  readonly at: number;
  /** Size in the file, in bytes. */
  readonly bytes: number;
  /** Sum of its bytes. */
  readonly sum: string;
  /** Version of the source that it was fetched from. */
  readonly version: ResourceVersion;
}

/** The media resources stored in several files, including those of an earlier run. */
export interface StoredResources {
  /** Returns a resource of a file by its order among the file's resources. */
  find(file: number, order: number): StoredResource | undefined;
  /** Whether any resource of a file is stored. */
  has(file: number): boolean;
  /** Records a resource. */
  record(file: number, order: number, resource: StoredResource): void;
  /** Discards the resources that an earlier run has stored. */
  forget(): Promise<void>;
}

/**
 * Reads the media resources of files that a journal records. The result is empty if `digest`, a digest that identifies
 * all resources, differs from that of the earlier run.
 */
export async function openStoredResources(
  journal: Journal,
  digest: string,
  paths: readonly string[],
): Promise<StoredResources> {
  const files = await readStoredResources(journal, digest, paths);
  const forget = async () => {
    for (const resources of files) resources.clear();
    await journal.clear();
    journal.append(['plan', digest]);
  };
  if (files.every((resources) => resources.size === 0)) await forget();
  return {
    find: (file, order) => files[file]?.get(order),
    has: (file) => (files[file]?.size ?? 0) > 0,
    record(file, order, { at, bytes, sum, version }) {
      journal.append(['piece', file, order, at, bytes, sum, version.validator, version.total]);
    },
    forget,
  };
}

async function readStoredResources(
  { records }: Journal,
  digest: string,
  paths: readonly string[],
): Promise<Map<number, StoredResource>[]> {
  const files = paths.map(() => new Map<number, StoredResource>());
  const [first, ...others] = records;
  if (first?.[0] !== 'plan' || first[1] !== digest) return files;
  // A child process that has started by now may have hard links to the files.
  const sizes = await Promise.all(paths.map(async (path) => (await sizeOf(path, { links: 'any' })) ?? 0));
  for (const record of others) {
    const { file, order, resource } = readResource(record) ?? {};
    if (file === undefined || order === undefined || resource === undefined) continue;
    if (resource.bytes > 0 && resource.at + resource.bytes <= (sizes[file] ?? 0)) files[file]?.set(order, resource);
  }
  return files;
}

function readResource([kind, file, order, at, bytes, sum, ...values]: JournalRecord) {
  const version = readVersionRecord(values);
  const numbers = isByteCount(file) && isByteCount(order) && isByteCount(at) && isByteCount(bytes);
  return kind === 'piece' && numbers && isArrivalSum(sum) && version !== undefined
    ? { file, order, resource: { at, bytes, sum, version } }
    : undefined;
}
