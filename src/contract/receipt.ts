import Type from 'typebox';
import { encodingMembers, videoShapeSchema } from './encoding.ts';
import { operations } from './job.ts';
import { subtitleFormats } from './output-additions.ts';
import { outputNoteSchema } from './output-note-schema.ts';
import { noteLimits } from './output-notes.ts';
import { testMembers } from './test-member.ts';

/** Media type of a receipt: a JSON Web Signature in JSON (RFC 7515 §9.2.1). */
export const receiptMediaType = 'application/jose+json';

/** Media type of the published public keys: a JSON Web Key Set (RFC 7517 §8.5.2). */
export const receiptKeysMediaType = 'application/jwk-set+json';

/** Version of the statement in a receipt. It grows by new members; any other change gets the next number. */
export const receiptVersion = 1;

/** Maximum size of a receipt in bytes. The largest possible one has half of that. */
export const maxReceiptBytes = 512 * 1024;

const bytes = Type.Integer({ minimum: 0 });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hexadecimal.' });
const time = (description: string) => Type.String({ format: 'date-time', description });

/** The bytes that were fetched of an input. */
export const fetchedBytesSchema = Type.Object({
  bytes,
  sha256,
  sourceBytes: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Size of the whole source, if not all of it was fetched.' }),
  ),
  excerptStart: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Set if only the part that a clip needs was fetched: its start in the source, in seconds. `bytes` and `sha256` are then those of a file that contains this part with a new index, or of the fetched segments.',
    }),
  ),
});

/** The bytes that were fetched of an input. */
export type FetchedBytes = Type.Static<typeof fetchedBytesSchema>;

/** How the links of an input were used. */
export const linkUseSchema = Type.Object(
  {
    profiles: Type.Array(Type.String(), {
      description:
        'Client profiles whose links returned bytes, in the order of first use. Empty if the platform has only one.',
    }),
    replacedLinks: Type.Integer({
      minimum: 0,
      description: 'Number of times that the link was replaced because it no longer worked.',
    }),
  },
  { description: 'The links of the platform that the input was fetched through. Absent without an item.' },
);

const inputSchema = Type.Object({
  ext: Type.String({ description: 'The extension in the job: m3u8 for an HLS playlist.' }),
  language: Type.Optional(Type.String({ description: 'Language tag of the input in the job.' })),
  representation: Type.Union(
    [Type.Object({ repId: Type.String(), kind: Type.Enum(['muxed', 'video', 'audio']) }), Type.Null()],
    {
      description: 'Which media of the item this is; null without an item, and for media whose link is never replaced.',
    },
  ),
  host: Type.Union([Type.String(), Type.Null()], {
    description: 'Host of the input; null if the input came from an item of a platform.',
  }),
  links: Type.Optional(linkUseSchema),
  files: Type.Array(fetchedBytesSchema, {
    description:
      'One entry; for an HLS playlist whose audio has a separate playlist, two. The hash of HLS media covers its decrypted segments in order.',
  }),
});

const itemSchema = Type.Object(
  {
    platform: Type.String({ description: 'ID of the platform, such as p1.' }),
    endpoint: Type.String({ description: 'Path of the endpoint that returned the item.' }),
    parameters: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
      description:
        'Parameters of the item, its country and its language. Links in them have only the query parameters that name the item.',
    }),
    content: Type.Integer({ minimum: 0, description: 'Index of the item in `contents`.' }),
    profile: Type.Union([Type.String(), Type.Null()], {
      description:
        'Client profile of the extraction that the job started from; null if the platform has only one. `links` of each input states the profiles whose links returned bytes.',
    }),
  },
  { description: 'What the platform was asked for.' },
);

const verifiedStreamSchema = Type.Object({
  kind: Type.Enum(['video', 'audio', 'subtitle']),
  codec: Type.String(),
  packets: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Packets that were read back; null if not every packet was read.',
  }),
  duration: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: 'Seconds; null if unknown.' }),
});

/** How a result was verified. */
export const proofSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('compared'),
    streams: Type.Array(verifiedStreamSchema, { description: 'The streams that were read back from the file.' }),
    chapters: Type.Integer({ minimum: 0 }),
    duration: Type.Number({ minimum: 0, description: 'Seconds.' }),
  }),
  Type.Object({ kind: Type.Literal('unchanged') }),
]);

/** How a result was verified: compared with its inputs, or stored unchanged with the size that the source announced. */
export type Proof = Type.Static<typeof proofSchema>;

const addedFile = {
  host: Type.Union([Type.String(), Type.Null()], {
    description: 'Host that it was requested from; null with an item, or if the job contained it.',
  }),
  bytes,
  sha256,
};

/** Digests of the additions, not their texts, which may be long or private. */
const additionsSchema = Type.Object(
  {
    metadata: Type.Optional(
      Type.Object(
        { tags: Type.Array(Type.String()), sha256 },
        {
          description: 'Names of the tags, and the hash of `output.metadata` of the job as canonical JSON (RFC 8785).',
        },
      ),
    ),
    chapters: Type.Optional(
      Type.Object(
        { count: Type.Integer({ minimum: 0 }), sha256 },
        {
          description: 'Number of chapters, and the hash of `output.chapters` of the job as canonical JSON (RFC 8785).',
        },
      ),
    ),
    cover: Type.Optional(Type.Object(addedFile)),
    subtitles: Type.Optional(
      Type.Array(
        Type.Object({
          format: Type.Enum([...subtitleFormats]),
          language: Type.Optional(Type.String()),
          title: Type.Optional(Type.String()),
          default: Type.Boolean(),
          ...addedFile,
        }),
      ),
    ),
  },
  {
    description:
      'What the job added to the file. Covers and subtitles that could not be fetched are absent; `notes` state everything ' +
      'that the file does not contain.',
  },
);

/** The statement that a receipt signs. */
export const receiptStatementSchema = Type.Object({
  version: Type.Literal(receiptVersion),
  item: Type.Union([itemSchema, Type.Null()], { description: 'Null if the caller named the inputs.' }),
  inputs: Type.Array(inputSchema),
  exitCountry: Type.Union([Type.String(), Type.Null()], {
    description: 'Upper-case code of the country that the inputs were fetched from, if the operator configured one.',
  }),
  operation: Type.Object({
    type: Type.Enum(Object.keys(operations) as (keyof typeof operations)[]),
    copyStreams: Type.Boolean(),
    container: Type.String(),
    maxSize: Type.Optional(Type.Integer({ minimum: 0, description: 'Maximum size of the file in bytes.' })),
    ...encodingMembers,
    // Open, because a later version may state more.
    video: Type.Optional(Type.Object(videoShapeSchema.properties, { description: 'Shape of encoded video.' })),
  }),
  clip: Type.Optional(
    Type.Object(
      { start: Type.Number({ minimum: 0 }), end: Type.Optional(Type.Number({ minimum: 0 })) },
      { description: 'The part of the media that the job kept, in seconds.' },
    ),
  ),
  additions: Type.Optional(additionsSchema),
  output: Type.Object({ bytes, sha256 }),
  proof: proofSchema,
  notes: Type.Array(outputNoteSchema, { maxItems: noteLimits.count }),
  startedAt: time('Time at which the worker began to fetch the inputs.'),
  finishedAt: time('Time at which the file was stored and the receipt was signed.'),
  software: Type.Object(
    { millrace: Type.String(), nodeAv: Type.String(), ffmpeg: Type.String() },
    { description: 'Versions of the service and of its media library.' },
  ),
  ...testMembers,
});

/** The statement that a receipt signs. */
export type ReceiptStatement = Type.Static<typeof receiptStatementSchema>;

const base64url = (description: string, more: object = {}) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', description, ...more });

/** A receipt: a JSON Web Signature in its flattened form (RFC 7515 §7.2.2). */
export const receiptSchema = Type.Object({
  payload: base64url('The statement as JSON, in base64url.', {
    contentEncoding: 'base64url',
    contentMediaType: 'application/json',
    contentSchema: receiptStatementSchema,
  }),
  protected: base64url('The header as JSON, in base64url: `alg` EdDSA, `kid`, and `typ` millrace-receipt+json.'),
  signature: base64url('The Ed25519 signature of both, in base64url.'),
});

/** A receipt: a JSON Web Signature in its flattened form. */
export type Receipt = Type.Static<typeof receiptSchema>;

/** A public key (RFC 8037 §2). */
export const receiptKeySchema = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: base64url('The public key.', { minLength: 43, maxLength: 43 }),
  kid: Type.String({ description: 'ID of the key: its thumbprint (RFC 7638).' }),
  alg: Type.Optional(Type.Literal('EdDSA')),
  use: Type.Optional(Type.Literal('sig')),
  firstUsedAt: Type.Optional(time('Time since which the service has used the key.')),
  lastUsedAt: Type.Optional(time('Time at which the service last used the key, to the hour.')),
});

/** A public key of receipts. */
export type ReceiptKey = Type.Static<typeof receiptKeySchema>;

/** The public keys that a service signs receipts with now, or has signed them with (RFC 7517 §5). */
export const receiptKeysSchema = Type.Object({ keys: Type.Array(receiptKeySchema) });

/** The public keys that a service signs receipts with now, or has signed them with. */
export type ReceiptKeys = Type.Static<typeof receiptKeysSchema>;
