import type { ErrorCode } from '../../contract/errors.ts';
import type { ProbeReport, ProbeTask, ProcessReport, ProcessTask } from './engine.ts';

/** What a child is asked to do: one line of JSON on its standard input. */
export type ChildTask = ({ readonly type: 'process' } & ProcessTask) | ({ readonly type: 'probe' } & ProbeTask);

/** The report of either task; a probe's notes are empty. */
export type ChildReport = ProcessReport & ProbeReport;

/** Errors that a child may report. */
export const childErrors = [
  'incompatible_codecs',
  'input_unreadable',
  'input_incomplete',
  'processing_failed',
] as const satisfies readonly ErrorCode[];

/** What a child says: lines of JSON on its file descriptor 3. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly report: ChildReport }
  | {
      readonly type: 'failed';
      readonly code: (typeof childErrors)[number];
      readonly message: string;
      readonly reason?: string;
    };

/** Bytes that one message of a child may have. */
export const maxMessageBytes = 256 * 1024;

/** Characters that a text inside a message may have, and entries that its lists may have. */
export const messageBounds = { text: 2000, streams: 256, notes: 256 } as const;
