import type { Tags } from './tags.ts';

/** The tags of a file, and the bytes of its front cover. */
export interface StoredAdditions {
  readonly tags: Tags;
  readonly cover?: Buffer;
}
