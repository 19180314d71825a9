import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { MillraceError } from '../../../contract/errors.ts';
import { maxInputs } from '../../../contract/job.ts';
import { outputNoteSchema } from '../../../contract/output-note-schema.ts';
import { noteLimits } from '../../../contract/output-notes.ts';
import { maxChapters } from '../chapters/chapter.ts';
import { tagNames } from '../tags/tags.ts';
import { maxGaps } from '../timing/longest-gaps.ts';
import { type ChildMessage, childErrorCodes, messageLimits } from './messages.ts';

const text = Type.String({ maxLength: messageLimits.text });
const amount = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A SHA-256 in hexadecimal. */
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const inputNumber = Type.Integer({ minimum: 0, maximum: maxInputs - 1 });
/** Seconds on a file's clock, which may begin before zero. */
const timestamp = Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

const statsSchema = Type.Object({
  first: timestamp,
  last: timestamp,
  end: timestamp,
  packets: Type.Optional(count),
  listed: Type.Optional(Type.Literal(true)),
  gaps: Type.Optional(Type.Array(Type.Object({ seconds: amount, at: timestamp }), { maxItems: maxGaps })),
  jumps: count,
  cutOff: Type.Optional(amount),
  hidden: Type.Optional(count),
  plays: Type.Optional(Type.Object({ first: timestamp, end: timestamp })),
});

const originSchema = Type.Object({
  action: Type.Enum(['copy', 'encode', 'mix']),
  sources: Type.Array(
    Type.Object({
      file: Type.Integer({ minimum: 0, maximum: messageLimits.files - 1 }),
      input: inputNumber,
      undecoded: count,
      hasOrigin: Type.Optional(Type.Boolean()),
      stats: Type.Optional(statsSchema),
      mixed: Type.Optional(Type.Object({ first: timestamp, end: timestamp })),
    }),
    { maxItems: messageLimits.sources },
  ),
});

const cuesSchema = Type.Object({ count, first: timestamp, last: timestamp, mean: timestamp });

const cueOriginSchema = Type.Object({
  file: Type.Integer({ minimum: 0, maximum: messageLimits.files - 1 }),
  read: Type.Optional(cuesSchema),
  writtenCues: Type.Optional(cuesSchema),
  missing: count,
  moved: Type.Boolean(),
});

const reportSchema = Type.Object({
  streams: Type.Array(
    Type.Object({
      kind: Type.Enum(['video', 'audio', 'subtitle']),
      codec: text,
      duration: Type.Optional(amount),
      stats: Type.Optional(statsSchema),
      beginsDecodable: Type.Optional(Type.Boolean()),
      origin: Type.Optional(originSchema),
      cues: Type.Optional(cuesSchema),
      cueOrigin: Type.Optional(cueOriginSchema),
    }),
    { maxItems: messageLimits.streams },
  ),
  duration: amount,
  bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  chapters: Type.Integer({ minimum: 0, maximum: maxChapters }),
  tags: Type.Optional(Type.Partial(Type.Record(Type.Enum([...tagNames]), digest))),
  cover: Type.Optional(digest),
  ends: Type.Optional(Type.Object({ video: amount, audio: amount })),
  clip: Type.Optional(Type.Object({ start: amount, mediaEnd: amount })),
  notes: Type.Array(outputNoteSchema, { maxItems: noteLimits.count }),
});

const messageSchema = Type.Union([
  Type.Object({
    type: Type.Literal('ready'),
    landlock: Type.Integer({ minimum: 0, maximum: 1000 }),
    systemCalls: Type.Boolean(),
  }),
  Type.Object({ type: Type.Literal('progress'), fraction: Type.Number({ minimum: 0, maximum: 1 }) }),
  Type.Object({ type: Type.Literal('done'), report: reportSchema }),
  Type.Object({
    type: Type.Literal('failed'),
    code: Type.Enum([...childErrorCodes]),
    message: text,
    reason: Type.Optional(text),
    input: Type.Optional(inputNumber),
    retryable: Type.Optional(Type.Boolean()),
  }),
]);

const validator = Compile(messageSchema);

/**
 * Parses a message from a child. A child that has read a hostile file may be under that file's control, so only the
 * exact shapes above pass.
 *
 * @throws MillraceError `processing_failed` for anything else.
 */
export function parseChildMessage(line: string): ChildMessage {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (cause) {
    throw malformedMessage(cause);
  }
  if (!validator.Check(message)) throw malformedMessage(line.slice(0, 200));
  return message;
}

function malformedMessage(cause: unknown): MillraceError {
  return new MillraceError('processing_failed', 'The media engine sent an invalid response and was stopped.', {
    cause,
  });
}
