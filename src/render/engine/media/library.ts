/** What a task needs of the media library. The child imports it at the first such task: most copies of MP4 files need none. */

export { LibraryLog } from './library-log.ts';
export { probeFile } from './probe-file.ts';
export { processWithLibrary } from './process-with-library.ts';
