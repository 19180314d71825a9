import { inertTypeOf } from '../../contract/inert-media-types.ts';
import type { FileMetadata } from '../../storage/storage.ts';

/** The columns of a job that describe its file. */
export interface FileRow {
  file_name: string;
  /** In bytes. */
  file_size: number;
  expires_at: Date;
}

/** Returns the metadata of a job's file that a download needs. */
export function fileFacts({ file_name: name, expires_at: expiresAt }: FileRow): FileMetadata {
  return { name, expiresAt, type: inertTypeOf(name) };
}
