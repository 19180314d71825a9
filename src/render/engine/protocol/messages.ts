import type { ErrorCode } from '../../../contract/errors.ts';
import type { Restrictions } from '../self-restriction/restrictions.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { type FinishTask, headLimits, type ProbeTask, type ProcessTask } from '../tasks/task.ts';

/** What a child is asked to do: one line of JSON on its standard input. */
export type ChildTask =
  | ({ readonly type: 'process' } & ProcessTask)
  | ({ readonly type: 'finish' } & FinishMessage)
  | ({ readonly type: 'probe' } & ProbeTask);

/** A task whose heads are written down as base64. */
interface FinishMessage extends Omit<FinishTask, 'heads'> {
  readonly heads: readonly { readonly head: string; readonly size: number }[];
}

/**
 * Writes a task down.
 *
 * @throws Error for more heads, or larger ones, than {@link headLimits} allows.
 */
export function encodeFinishTask(task: FinishTask): FinishMessage {
  const { heads } = task;
  if (heads.length > headLimits.count || heads.some(({ head }) => head.length > headLimits.bytes)) {
    throw new Error('a task has too many heads, or too large ones');
  }
  return { ...task, heads: heads.map(({ head, size }) => ({ head: head.toString('base64'), size })) };
}

/** Reads what {@link encodeFinishTask} wrote. */
export function decodeFinishTask(message: FinishMessage): FinishTask {
  return { ...message, heads: message.heads.map(({ head, size }) => ({ head: Buffer.from(head, 'base64'), size })) };
}

/** The report of any task; a probe's has no notes, and its streams have no origin. */
export type ChildReport = ProcessReport;

/** Errors that a child may report. */
export const childErrorCodes = [
  'source_unsupported',
  'incompatible_codecs',
  'input_unreadable',
  'input_incomplete',
  'processing_failed',
  'storage_failed',
] as const satisfies readonly ErrorCode[];

/** What a child says: lines of JSON on its file descriptor 3. */
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

/** Bytes that one message of a child may have. */
export const maxMessageBytes = 256 * 1024;

/**
 * Limits of messages: characters of a text, streams of a report, sources of a stream, and files that sources may be in.
 */
export const messageLimits = { text: 2000, streams: 256, sources: 16, files: 256 } as const;
