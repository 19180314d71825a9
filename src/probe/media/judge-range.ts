import { isText, nonMediaKind } from '../../parsing/content-sniffing.ts';
import { classifyFailure } from '../findings/classify-failure.ts';
import { type Finding, noProblem } from '../findings/finding.ts';
import type { MediaPart, Verdict } from '../findings/probe-report.ts';
import type { Range, RangeResponse } from './fetch-range.ts';

/** A requested part of a media item. */
export interface RequestedPart {
  readonly item: string;
  readonly part: MediaPart;
  readonly range: Range;
}

const partNames: Readonly<Record<MediaPart, string>> = {
  start: 'the start',
  later: 'a later part',
  after_wait: 'a part after the wait',
};

/** Returns what a response says about a part of a media item. */
export function judgeRange({ item, part, range }: RequestedPart, response: RangeResponse): Finding {
  const { head, bytes, error } = response;
  const problem = (verdict: Verdict, what: string): Finding => {
    const message = `${item}: ${partNames[part]} did not arrive. ${what}`;
    const status = head === undefined ? {} : { status: head.status };
    return { verdict, problems: [{ kind: 'media', item, part, ...status, bytes: bytes.length, message }] };
  };
  if (head === undefined) return problem(classifyFailure(error).verdict, messageOf(error));
  const { status, type, total, partLength } = head;
  if (status !== 200 && status !== 206) return problem('refused', `The server returned ${status}.`);
  if (partLength === 0) return problem('unreachable', 'The server sent another part.');
  const other = bytes.length === 0 ? undefined : otherContent(type, bytes);
  if (other !== undefined) return problem('drifting', `The server sent ${other}.`);
  // A complete response without a length has the length of its file.
  const expected = partLength ?? (total === undefined ? 1 : total - range.from);
  if (error === undefined && bytes.length >= Math.max(1, Math.min(range.length, expected))) return noProblem;
  return problem('unreachable', `The response ended after ${bytes.length} of ${range.length} bytes.`);
}

/** Returns what a response contains instead of media, if anything. */
function otherContent(type: string, bytes: Buffer): string | undefined {
  if (type === 'text/html') return 'a web page';
  return isText(bytes) ? (nonMediaKind(bytes) ?? 'text') : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
