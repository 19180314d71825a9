import Type from 'typebox';
import { maxInputs } from './job.ts';
import { noteCodes, noteLimits } from './output-notes.ts';

/** An `OutputNote` (output-notes.ts). */
export const outputNoteSchema = Type.Object({
  code: Type.Enum([...noteCodes], { description: 'Stable machine-readable code.' }),
  message: Type.String({ maxLength: noteLimits.message, description: 'The difference and its reason.' }),
  input: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxInputs - 1,
      description: 'Index of the input concerned, counted from 0.',
    }),
  ),
});
