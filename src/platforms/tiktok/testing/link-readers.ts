import type { LinkReaders } from '../../testing/link-readers.ts';
import { readLink } from '../endpoints/parameters.ts';

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [(link) => readLink(link, 'post'), (link) => readLink(link, 'profile')];
