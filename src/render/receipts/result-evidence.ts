import Type from 'typebox';
import { fetchedBytesSchema, linkUseSchema, proofSchema } from '../../contract/receipt.ts';

const hashedBytesSchema = Type.Object({ bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() });

/** The files that a job added to its result, as they were fetched. */
const addedFilesSchema = Type.Object({
  cover: Type.Optional(hashedBytesSchema),
  subtitles: Type.Array(
    Type.Object({
      /** Index among the job's `output.subtitles`. */
      addition: Type.Integer({ minimum: 0 }),
      ...hashedBytesSchema.properties,
    }),
  ),
});

/** The files that a job added to its result, as they were fetched. */
export type AddedFiles = Type.Static<typeof addedFilesSchema>;

/** The facts about the making of a result that its job does not contain. A result that waits for the store keeps them. */
export const resultEvidenceSchema = Type.Object({
  /** ISO 8601. */
  startedAt: Type.String(),
  /** Upper-case code of the country that the inputs were fetched from, if known. */
  exitCountry: Type.Optional(Type.String()),
  /** The bytes that were fetched of each input. */
  inputs: Type.Array(Type.Array(fetchedBytesSchema)),
  /** How the links of each input were used; absent if the caller named the inputs. */
  links: Type.Optional(Type.Array(linkUseSchema)),
  /** Absent if the job adds no files. */
  addedFiles: Type.Optional(addedFilesSchema),
  proof: proofSchema,
});

/** The facts about the making of a result that its job does not contain. */
export type ResultEvidence = Type.Static<typeof resultEvidenceSchema>;
