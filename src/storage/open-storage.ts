import { openDiskStorage } from './disk-storage.ts';
import { isolateStorage } from './isolate-storage.ts';
import type { S3Location } from './s3-storage.ts';
import type { Storage } from './storage.ts';

/** The location of a store: a folder, or a prefix of a bucket in an S3-compatible store. */
export type StorageLocation = { readonly folder: string } | S3Location;

/** Returns the name of a location for messages. */
export function nameOfLocation(location: StorageLocation): string {
  return 'folder' in location ? location.folder : `s3://${location.bucket}/${location.prefix}`;
}

/** Opens the storage at a location. A folder is opened at its first use, which throws the errors of opening it. */
export async function openStorage(location: StorageLocation): Promise<Storage> {
  if ('folder' in location)
    return isolateStorage((run) => openDiskStorage(location.folder, run), nameOfLocation(location));
  // Loaded on demand: the S3 client takes a tenth of a second and some megabytes.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(location);
}
