import { serveCalls } from '../../../../test/support/calls.ts';
import { describeMedia } from './describe-media.ts';
import { processWithoutFastPath } from './process-without-fast-path.ts';

// The process in which tests call the media library.

const calls = { describeMedia, processWithoutFastPath };
serveCalls(calls);

/** What can be called. */
export type MediaLibraryCalls = typeof calls;
