import Type from 'typebox';
import type { ErrorCode } from './errors.ts';
import { outputNoteSchema } from './output-note-schema.ts';
import { noteLimits } from './output-notes.ts';

const failureCodes = ['delivery_refused', 'delivery_failed', 'address_refused', 'blocked'] as const;

/** A code with which a delivery can fail. */
type DeliveryFailureCode = (typeof failureCodes)[number];

/** Returns the code with which a delivery failed. A store that could not be reached is not at fault for good. */
export function deliveryFailureCode(code: ErrorCode): DeliveryFailureCode {
  return failureCodes.find((each) => each === code) ?? 'delivery_failed';
}

/** The outcome of the delivery of a job's file to the caller's store. It shows nothing of the URL except the host. */
export const deliveryOutcomeSchema = Type.Object(
  {
    status: Type.Enum(['delivered', 'failed']),
    host: Type.String({ description: 'Host of the store.' }),
    bytes: Type.Integer({ minimum: 0, description: 'Size of the file.' }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of uploads that were started.' }),
    httpStatus: Type.Union([Type.Integer(), Type.Null()], {
      description: "HTTP status of the store's last response; null if there was none.",
    }),
    etag: Type.Union([Type.String({ maxLength: 256 }), Type.Null()], {
      description: 'ETag that the store assigned to the file; null if it returned none.',
    }),
    code: Type.Union([Type.Enum([...failureCodes]), Type.Null()], {
      description: 'Code of the error if the delivery failed.',
    }),
    message: Type.Union([Type.String({ minLength: 1 }), Type.Null()], { description: 'Why the delivery failed.' }),
    sha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of a file that was only delivered.' }),
    ),
    notes: Type.Optional(
      Type.Array(outputNoteSchema, {
        maxItems: noteLimits.count,
        description: 'Differences between a file that was only delivered and its inputs, like those of output.',
      }),
    ),
  },
  { description: 'The outcome of the delivery to output.putUrl. Absent before the delivery has ended.' },
);

/** The outcome of the delivery of a job's file to the caller's store. */
export type DeliveryOutcome = Readonly<Type.Static<typeof deliveryOutcomeSchema>>;
