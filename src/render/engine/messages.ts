import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import type { ProbeReport, ProbeTask, ProcessReport, ProcessTask } from './engine.ts';

/** What a child is asked to do: one line of JSON on its standard input. */
export type ChildTask = ({ readonly type: 'process' } & ProcessTask) | ({ readonly type: 'probe' } & ProbeTask);

/** Bytes that one message of a child may have. */
export const maxMessageBytes = 256 * 1024;

const text = (maxLength: number) => Type.String({ maxLength });
const amount = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const reportSchema = Type.Object({
  streams: Type.Array(
    Type.Object({
      kind: Type.Enum(['video', 'audio', 'subtitle']),
      codec: text(64),
      duration: Type.Optional(amount),
    }),
    { maxItems: 256 },
  ),
  duration: amount,
  bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  notes: Type.Array(text(1000), { maxItems: 512 }),
});

/** Errors that a child may report. */
const childErrors = [
  'incompatible_codecs',
  'input_unreadable',
  'input_incomplete',
  'processing_failed',
] as const satisfies readonly ErrorCode[];

const messageSchema = Type.Union([
  Type.Object({ type: Type.Literal('ready') }),
  Type.Object({ type: Type.Literal('progress'), fraction: Type.Number({ minimum: 0, maximum: 1 }) }),
  Type.Object({ type: Type.Literal('done'), report: reportSchema }),
  Type.Object({
    type: Type.Literal('failed'),
    code: Type.Enum([...childErrors]),
    message: text(2000),
    reason: Type.Optional(text(2000)),
  }),
]);

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

/** The report of either task; a probe's notes are empty. */
export type ChildReport = ProcessReport & ProbeReport;

const validator = Compile(messageSchema);

/**
 * Reads a message of a child. A child that has read a hostile file may be under that file's control, so nothing but the
 * exact shapes above passes.
 *
 * @throws MillraceError `processing_failed` for anything else.
 */
export function parseChildMessage(line: string): ChildMessage {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (cause) {
    throw garbled(cause);
  }
  if (!validator.Check(message)) throw garbled(line.slice(0, 200));
  return message;
}

function garbled(cause: unknown): MillraceError {
  return new MillraceError(
    'processing_failed',
    'The media engine gave an answer that makes no sense and was stopped.',
    {
      cause,
    },
  );
}
