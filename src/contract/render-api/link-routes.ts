import Type from 'typebox';
import { receiptKeysMediaType, receiptKeysSchema, receiptMediaType, receiptSchema } from '../receipt.ts';
import { receiptExamples, receiptKeysExamples } from './link-examples.ts';
import { linkParameters } from './parameters.ts';
import { linkPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

/** The bytes of a file, sent with the media type of the file. */
const bytes = { mediaType: '*/*', schema: Type.String({ format: 'binary' }) };

const range = {
  200: { description: 'The whole file.', ...bytes },
  206: { description: 'The requested range of the file (`Range`).', ...bytes },
  416: { description: 'The range is outside the file.' },
};

/** RFC 9530. The digest always covers the whole file. */
const digest = {
  'Repr-Digest': {
    description: 'SHA-256 of the whole file, as `sha-256=:…:` in base64. Absent until it has been computed.',
    schema: Type.String(),
  },
};

/** Sends media of a platform through the service. */
export const relayMedia = {
  ...linkPaths.relayMedia,
  summary: 'Fetch relayed media',
  description:
    'Use a link from `urlAccess=proxied` exactly as returned. The service forwards the media file or HLS playlist of the platform. ' +
    'No key is needed: the link is the credential.',
  address: 'base',
  renderKey: 'none',
  parameters: linkParameters,
  responses: {
    ...range,
    400: refusal(
      'The request is not valid, or the proxy that the link uses is no longer configured.',
      'invalid_params',
      'unsupported_proxy_for_geo_targeting',
    ),
    403: refusal(
      'The link is not valid, the source rejects it, or the operator has disabled the key that the link belongs to.',
      'invalid_url',
      'unavailable',
      'address_refused',
      'forbidden',
    ),
    404: refusal('The source no longer has the file.', 'not_found'),
    410: refusal('The link has expired. Request a fresh one.', 'token_expired'),
    451: refusal("The operator of the service has blocked the item, its channel, or the link's host.", 'blocked'),
    429: refusal('The key has too many open relay connections.', 'rate_limited'),
    502: refusal(
      'The source did not respond as expected. Try again.',
      'non_2xx_response',
      'connection_error',
      'unexpected_redirect',
      'invalid_response_data',
    ),
    504: refusal('The source took too long. Try again.', 'operation_timeout'),
  },
  errors: 'envelope',
} as const satisfies Route;

/** Sends the file of a finished job. */
export const downloadFile = {
  ...linkPaths.downloadFile,
  summary: 'Download a finished file',
  description:
    'Use the `output.url` of a finished job exactly as returned. No key is needed: the link is the credential.',
  address: 'render',
  renderKey: 'none',
  parameters: linkParameters,
  responses: {
    ...range,
    200: { ...range[200], headers: digest },
    206: { ...range[206], headers: digest },
    302: { description: 'The file store sends the file; follow `Location`.' },
    304: { description: 'The caller already has the file (`If-None-Match`).' },
    404: refusal('No such file exists.', 'not_found'),
    410: refusal('The file has expired or is lost. Start its job again.', 'expired', 'file_lost'),
    451: refusal('The operator of the service has blocked the item or its channel.', 'blocked'),
    412: { description: 'The file does not match the version that the caller expects (`If-Match`).' },
  },
} as const satisfies Route;

/** Sends the receipt of a finished file. The handler of {@link downloadFile} serves it. */
export const downloadReceipt = {
  ...linkPaths.downloadReceipt,
  summary: 'Download the receipt of a finished file',
  description:
    'Use the `output.receipt` of a finished job exactly as returned. The receipt states where the file came from, and the SHA-256 of its inputs and of the file. ' +
    '`payload` is a `ReceiptStatement`. `millrace verify` verifies the receipt offline.',
  address: 'render',
  renderKey: 'none',
  parameters: linkParameters,
  responses: {
    200: {
      description: 'The signed receipt.',
      mediaType: receiptMediaType,
      schema: receiptSchema,
      examples: receiptExamples,
    },
    304: { description: 'The caller already has the receipt (`If-None-Match`).' },
    404: refusal('No such file exists, or it has no receipt.', 'not_found'),
    410: refusal('The file has expired or is lost. Start its job again.', 'expired', 'file_lost'),
    451: refusal('The operator of the service has blocked the item or its channel.', 'blocked'),
  },
} as const satisfies Route;

/** Sends the public keys of receipts. */
export const readReceiptKeys = {
  ...linkPaths.readReceiptKeys,
  summary: 'Read the public keys of receipts',
  description:
    'The keys that this service signs receipts with, the present one first, and those that it has used before. Save them to verify receipts later. No key is needed.',
  address: 'render',
  renderKey: 'none',
  responses: {
    200: {
      description: 'A JSON Web Key Set.',
      mediaType: receiptKeysMediaType,
      schema: receiptKeysSchema,
      examples: receiptKeysExamples,
    },
    304: { description: "Not modified since the caller's version (`If-None-Match`)." },
  },
} as const satisfies Route;
