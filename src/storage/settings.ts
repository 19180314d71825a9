import { trimTrailing } from '../contract/trim-trailing.ts';
import { oneOf, path } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import type { StorageLocation } from './open-storage.ts';

/** Settings of the storage of finished files. */
export const storageSettings = {
  STORAGE_URL: setting({
    description: 'Location of finished files: file: and a path, or s3://bucket/prefix with the usual AWS_* variables.',
    default: 'a folder in DATA_DIR',
    fallback: () => undefined,
    read: storageLocation,
  }),
  STORE_DOWNLOADS: setting({
    description:
      'How callers download files from an S3-compatible store: send, through this service; redirect, from the store ' +
      'itself, which they must then be able to reach.',
    default: 'send',
    read: oneOf('send', 'redirect'),
  }),
};

function storageLocation(text: string): StorageLocation {
  if (text.startsWith('file:')) return { folder: path(text.slice('file:'.length).replace(/^\/\//, '')) };
  const [, bucket, key = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined) throw new Error('must begin with file: or be s3://bucket/prefix');
  const prefix = trimTrailing(key, '/');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}
