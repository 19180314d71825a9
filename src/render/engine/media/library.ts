/** What a task needs of the media library. The child imports it at the first such task: most copies of MP4 files need none. */
export { probeFile } from './probe.ts';
export { processFiles } from './process.ts';
export { Words } from './words.ts';
