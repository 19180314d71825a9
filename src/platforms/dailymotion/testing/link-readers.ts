import type { LinkReaders } from '../../testing/link-readers.ts';
import { videoIdOf } from '../endpoints/parameters.ts';

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [videoIdOf];
