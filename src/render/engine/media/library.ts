/**
 * The parts of a task that use the media library. The child imports this module for the first task that needs it. Most
 * MP4 copies need none of it.
 */

export { loadCover } from './covers/load-cover.ts';
export { LibraryLog } from './library-log.ts';
export { probeFile } from './probe-file.ts';
export { processWithLibrary } from './process-with-library.ts';
export { measureEnds } from './reading/measure-ends.ts';
export { encodeSlideshow } from './slideshow/encode-slideshow.ts';
