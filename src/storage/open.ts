import { openDiskStorage } from './disk.ts';
import { isolateStorage } from './isolated.ts';
import type { Storage } from './storage.ts';

/** Where in an S3-compatible store files are kept. */
export interface S3Place {
  readonly bucket: string;
  /** What their keys begin with: empty, or ending in a slash. */
  readonly prefix: string;
}

/** Where files are kept: a folder, or a place in an S3-compatible store. */
export type StoragePlace = { readonly folder: string } | S3Place;

/** A place as messages name it. */
export function nameOfPlace(place: StoragePlace): string {
  return 'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`;
}

/** The storage at a place. A folder is opened at its first use, and errors of opening it are errors of that use. */
export async function openStorage(place: StoragePlace): Promise<Storage> {
  if ('folder' in place) return isolateStorage((run) => openDiskStorage(place.folder, run), nameOfPlace(place));
  // The client of S3 takes a tenth of a second and some megabytes, which only those pay who use it.
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(place);
}
