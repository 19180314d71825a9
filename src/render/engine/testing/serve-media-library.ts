import { serveCalls } from '../../../../test/support/child-calls.ts';
import { loadCover } from '../media/covers/load-cover.ts';
import { LibraryLog } from '../media/library-log.ts';
import { prepareAdditions } from '../media/prepare-additions.ts';
import { processWithLibrary } from '../media/process-with-library.ts';
import { ProgressPacer } from '../tasks/progress-pacer.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { readMediaDescription } from './corpus/read-media-description.ts';
import { corruptPackets } from './corrupt-packets.ts';
import { describeMedia } from './describe-media.ts';
import { makeMediaFiles } from './make-media.ts';
import { measureLoudness } from './measure-loudness.ts';
import { readPictures } from './read-pictures.ts';

// The process in which tests call the media library.

/** Carries out a task with the media library, without the fast path. */
async function processWithoutFastPath(task: ProcessTask): Promise<ProcessReport> {
  const pacer = new ProgressPacer(() => undefined, process.ppid);
  return await processWithLibrary(task, await prepareAdditions(task, loadCover), {
    libraryLog: new LibraryLog(task.directory),
    pacer,
    threads: 1,
    growingFiles: new Map(),
  });
}

const calls = {
  corruptPackets,
  describeMedia,
  makeMediaFiles,
  measureLoudness,
  processWithoutFastPath,
  readMediaDescription,
  readPictures,
};
serveCalls(calls);

/** The functions that can be called. */
export type MediaLibraryCalls = typeof calls;
