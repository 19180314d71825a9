import type { LinkReaders } from '../../testing/link-readers.ts';
import {
  readChannelId,
  readHandle,
  readPlaylistId,
  readPostId,
  readTag,
  readVideoId,
} from '../endpoints/link-parameters.ts';

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [readVideoId, readPlaylistId, readChannelId, readPostId, readHandle, readTag];
