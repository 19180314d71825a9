import type { LinkReaders } from '../../testing/link-readers.ts';
import { pinReference } from '../endpoints/parameters.ts';

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [pinReference];
