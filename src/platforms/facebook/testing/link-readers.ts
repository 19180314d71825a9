import type { LinkReaders } from '../../testing/link-readers.ts';
import { readLink } from '../find/read-link.ts';

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [readLink];
