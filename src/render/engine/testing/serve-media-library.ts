import { serveCalls } from '../../../../test/support/calls.ts';
import { describeMedia } from './describe-media.ts';
import { processWithoutFastRoad } from './process-without-fast-road.ts';

// The process in which tests call the media library.

const calls = { describeMedia, processWithoutFastRoad };
serveCalls(calls);

/** What can be called. */
export type MediaLibraryCalls = typeof calls;
