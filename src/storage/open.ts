import { openDiskStorage } from './disk.ts';
import { isolateStorage } from './isolated.ts';
import type { S3Place } from './s3.ts';
import type { Storage } from './storage.ts';

/** The location of a store: a folder, or a prefix of a bucket in an S3-compatible store. */
export type StoragePlace = { readonly folder: string } | S3Place;

/** Returns the name of a location for messages. */
export function nameOfPlace(place: StoragePlace): string {
  return 'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`;
}

/** Opens the storage at a location. A folder is opened at its first use, which throws the errors of opening it. */
export async function openStorage(place: StoragePlace): Promise<Storage> {
  if ('folder' in place) return isolateStorage((run) => openDiskStorage(place.folder, run), nameOfPlace(place));
  // Loaded on demand: the S3 client takes a tenth of a second and some megabytes.
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(place);
}
