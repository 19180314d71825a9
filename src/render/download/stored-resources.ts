import { sizeOf } from '../../files/open-file.ts';
import type { Journal, JournalRecord } from './journal.ts';
import type { ResourceVersion } from './source-request.ts';
import { isByteCount, readVersionRecord } from './version-record.ts';

/** A media resource that is in its place in a file. */
export interface StoredResource {
  /** Where it begins in the file. */
  readonly at: number;
  /** Bytes of it in the file. */
  readonly bytes: number;
  /** What it was fetched from. */
  readonly version: ResourceVersion;
}

/** The media resources that are stored in several files, those of a former run included. */
export interface StoredResources {
  /** Returns a resource of a file by its order among the file's resources. */
  find(file: number, order: number): StoredResource | undefined;
  /** Whether any resource of a file is stored. */
  has(file: number): boolean;
  /** Records a resource. */
  record(file: number, order: number, resource: StoredResource): void;
  /** Forgets what a former run has stored. */
  forget(): Promise<void>;
}

/**
 * Reads what a journal says about the media resources of files; nothing if `digest`, a digest of what all resources are,
 * is not the one of the former run.
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
    record(file, order, { at, bytes, version }) {
      journal.append(['piece', file, order, at, bytes, version.validator, version.total]);
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
  // A child that has been started by now may have links to them.
  const sizes = await Promise.all(paths.map(async (path) => (await sizeOf(path, { links: 'any' })) ?? 0));
  for (const record of others) {
    const { file, order, resource } = readResource(record) ?? {};
    if (file === undefined || order === undefined || resource === undefined) continue;
    if (resource.bytes > 0 && resource.at + resource.bytes <= (sizes[file] ?? 0)) files[file]?.set(order, resource);
  }
  return files;
}

function readResource([kind, file, order, at, bytes, ...values]: JournalRecord) {
  const version = readVersionRecord(values);
  const numbers = isByteCount(file) && isByteCount(order) && isByteCount(at) && isByteCount(bytes);
  return kind === 'piece' && numbers && version !== undefined
    ? { file, order, resource: { at, bytes, version } }
    : undefined;
}
