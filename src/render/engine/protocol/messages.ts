import type { ErrorCode } from '../../../contract/errors.ts';
import type { Restrictions } from '../self-restriction/restrictions.ts';
import type { ProcessReport } from '../tasks/report.ts';
import {
  type FinishTask,
  type FragmentedHead,
  headLimits,
  type ProbeTask,
  type ProcessTask,
  type SlideshowTask,
} from '../tasks/task.ts';

/** The task of a child: one line of JSON on its standard input. */
export type ChildTask =
  | ({
      readonly type: 'process';
      /** Milliseconds after which the child is killed. */
      readonly timeLimit?: number;
    } & ProcessTask)
  | ({ readonly type: 'finish' } & FinishMessage)
  | ({ readonly type: 'slideshow' } & SlideshowTask)
  | ({ readonly type: 'probe' } & ProbeTask);

/** A task whose heads are base64. */
interface FinishMessage extends Omit<FinishTask, 'heads'> {
  readonly heads: readonly (Omit<FragmentedHead, 'head'> & { readonly head: string })[];
}

/**
 * Encodes a task as JSON.
 *
 * @throws Error if there are more or larger heads than {@link headLimits} allows.
 */
export function encodeFinishTask(task: FinishTask): FinishMessage {
  const { heads } = task;
  if (heads.length > headLimits.count || heads.some(({ head }) => head.length > headLimits.bytes)) {
    throw new Error('a task has too many or too large heads');
  }
  return { ...task, heads: heads.map((one) => ({ ...one, head: one.head.toString('base64') })) };
}

/** Decodes the output of {@link encodeFinishTask}. */
export function decodeFinishTask(message: FinishMessage): FinishTask {
  return { ...message, heads: message.heads.map((one) => ({ ...one, head: Buffer.from(one.head, 'base64') })) };
}

/** The report of any task. A probe's report has no notes, and its streams have no origin. */
export type ChildReport = ProcessReport;

/** Error codes that a child may report. */
export const childErrorCodes = [
  'source_unsupported',
  'incompatible_codecs',
  'clip_out_of_range',
  'size_unreachable',
  'input_unreadable',
  'input_incomplete',
  'processing_failed',
  'storage_failed',
] as const satisfies readonly ErrorCode[];

/** A message from a child: a line of JSON on its file descriptor 3. */
export type ChildMessage =
  | ({ readonly type: 'ready' } & Restrictions)
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly report: ChildReport }
  | {
      readonly type: 'failed';
      readonly code: (typeof childErrorCodes)[number];
      readonly message: string;
      readonly reason?: string;
      readonly input?: number;
      /** Whether the same job can succeed later, if the code alone does not decide it. */
      readonly retryable?: boolean;
    };

/** Maximum size of a message from a child, in bytes. */
export const maxMessageBytes = 256 * 1024;

/**
 * Limits of messages: characters of a text, streams of a report, sources of a stream, and files that contain sources.
 */
export const messageLimits = { text: 2000, streams: 256, sources: 16, files: 256 } as const;
