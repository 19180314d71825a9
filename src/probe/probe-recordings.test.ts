import { describe, expect, test } from 'vitest';
import { recordingsFolders } from '../../test/support/recordings.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Extraction } from '../platforms/platform.ts';
import { addUnread } from '../platforms/unread.ts';
import { classifyFailure } from './findings/classify-failure.ts';
import { driftIf, type Finding } from './findings/finding.ts';
import { missingProblems } from './findings/missing-problems.ts';
import type { Problem } from './findings/probe-report.ts';
import { unreadProblems } from './findings/unread-problems.ts';
import { type ProbeRecording, readProbeRecordings } from './testing/probe-recordings.ts';
import { replayProbe } from './testing/replay-probe.ts';
import { type ReplayedSource, replayedSource } from './testing/replayed-source.ts';

const recordings = readProbeRecordings();
process.stdout.write(
  recordings.length === 0
    ? `probe recordings: skipped, ${recordingsFolders.length === 0 ? 'RECORDINGS_DIR is not set' : 'RECORDINGS_DIR has none'}\n`
    : `probe recordings: ${recordings.length} read from ${recordingsFolders.join(' and ')}\n`,
);

describe.skipIf(recordings.length === 0)('the recording of a probe', () => {
  test.for(recordings)('$name has every expected field and no unknown shape', async (recording, { skip }) => {
    const source = replayedSource(recording.exchanges);
    const { verdict, problems } = await replay(recording, source);
    const [missing] = source.unanswered;
    if (verdict !== 'works' && missing !== undefined)
      skip(`record this probe again: there is no response to ${missing}`);
    const messages = problems.map(({ message }) => message);
    if (verdict === 'refused' || verdict === 'unreachable')
      skip(`the site did not send the item: ${messages.join(' ')}`);
    expect(messages).toEqual([]);
  });
});

/** Returns what the parsers make of a recording. */
async function replay(recording: ProbeRecording, source: ReplayedSource): Promise<Finding> {
  const { expects, pages: list } = recording;
  try {
    const [first, ...others] = await replayProbe(recording, source);
    const unread = addUnread(first.unread, ...others.map((page) => page.unread));
    return driftIf([...missingProblems(first, expects), ...unreadProblems(unread), ...pageProblems(list, others)]);
  } catch (error) {
    // The error of a parser itself shows where it failed.
    if (!(error instanceof MillraceError)) throw error;
    return classifyFailure(error);
  }
}

function pageProblems(list: string | undefined, nextPages: readonly Extraction[]): readonly Problem[] {
  if (list === undefined || nextPages.length > 0) return [];
  return [{ kind: 'next_page', message: `${list} has no next page.` }];
}
