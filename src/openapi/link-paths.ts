import type { Addresses } from '../contract/addresses.ts';
import type { Operation, Parameter, Paths } from './document.ts';
import { commonRefusals, errorResponse, refusalRefs } from './error-response.ts';
import { refusal, always as renderAlways } from './render-parts.ts';

/** The tag of links from other responses. */
export const LINKS_TAG = 'links';

/** Content of any media type; the file determines it. */
const bytes = { '*/*': { schema: {} } };

const part = {
  200: { description: 'The whole file.', content: bytes },
  206: { description: 'The requested range of it (`Range`).', content: bytes },
  416: { description: 'The range lies outside the file.' },
};

/** RFC 9530; always of the whole file. */
const digest = {
  headers: {
    'Repr-Digest': {
      description: 'SHA-256 of the whole file, as `sha-256=:…:` in base64. Missing until it has been computed.',
      schema: { type: 'string' },
    },
  },
};

const link: Parameter = {
  name: 'link',
  in: 'path',
  required: true,
  description: 'The sealed part of the link. Opaque; its form may change at any time.',
  schema: { type: 'string' },
};

const fileName: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the file. The link works with any name.',
  schema: { type: 'string' },
};

const common = { tags: [LINKS_TAG], security: [], parameters: [link, fileName] };

const relay: Operation = {
  ...common,
  operationId: 'relayMedia',
  summary: 'Relayed media',
  description:
    'A link of `urlAccess=proxied`, used exactly as returned: the media file or HLS playlist of the platform, passed on ' +
    'by the service. Needs no key: the link is the credential.',
  responses: {
    ...refusalRefs('Refused', commonRefusals),
    ...part,
    400: errorResponse('ExtractionResult', 'The request is not valid, or the proxy of the link is no longer set.', [
      ...commonRefusals[400].codes,
      'unsupported_proxy_for_geo_targeting',
    ]),
    403: errorResponse('ExtractionResult', 'The link is not valid, or the source refuses it.', [
      'invalid_url',
      'unavailable',
      'address_refused',
    ]),
    404: errorResponse('ExtractionResult', 'The source no longer has the file.', ['not_found']),
    410: errorResponse('ExtractionResult', 'The link has expired. Request a fresh one.', ['token_expired']),
    429: errorResponse('ExtractionResult', 'The key has too many relay connections open.', ['rate_limited']),
    502: errorResponse('ExtractionResult', 'The source did not respond as expected. Try again.', [
      'non_2xx_response',
      'connection_error',
      'unexpected_redirect',
      'invalid_response_data',
    ]),
    504: errorResponse('ExtractionResult', 'The source took too long. Try again.', ['operation_timeout']),
  },
};

const file: Operation = {
  ...common,
  operationId: 'downloadFile',
  summary: 'A finished file',
  description:
    'The `output.url` of a job that is done, used exactly as returned. Needs no key: the link is the credential.',
  responses: {
    ...renderAlways,
    ...part,
    200: { ...part[200], ...digest },
    206: { ...part[206], ...digest },
    302: { description: 'The file store sends the file itself; follow `Location`.' },
    304: { description: 'The caller already has the file (`If-None-Match`).' },
    404: refusal('There is no such file.', 'not_found'),
    410: refusal('The file has expired or is lost. Start its job again.', 'expired', 'file_lost'),
    412: { description: 'The file does not match the version that the caller expects (`If-Match`).' },
  },
};

/** The paths of links from other responses: relayed media and finished files. */
export function linkPaths({ render }: Addresses): Paths {
  return {
    '/relay/{link}/{name}': { get: relay },
    '/files/{link}/{name}': { get: { ...file, servers: [{ url: render }] } },
  };
}
