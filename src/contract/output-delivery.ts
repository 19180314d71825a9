import Type from 'typebox';
import type { FieldFault } from './errors.ts';
import { headerFaults, reservedHeaders } from './request-headers.ts';
import { credentialFaults, urlFaults } from './url-faults.ts';

/** The store of the caller to which the finished file of a job is uploaded. */
export interface DeliveryTarget {
  /** A credential: a presigned URL lets anyone write to the store. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the file is also stored here, with a download link. */
  readonly keep: boolean;
}

/** The members of a job's output that describe the delivery of its file. */
export const deliveryMembers = {
  putUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 16_384,
      description:
        'An http or https URL to which the finished file is uploaded by PUT, such as a presigned URL of an object store. ' +
        'It is never shown again. Redirects are not followed.',
    }),
  ),
  putHeaders: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 8192 }), {
      maxProperties: 64,
      description:
        "Headers of the upload. Without `content-type`, the type of the container is sent. Headers that frame the request's " +
        'body or name the host cannot be set.',
    }),
  ),
  keep: Type.Optional(
    Type.Boolean({
      description:
        'Whether the file can also be downloaded from this service. false requires putUrl: the job then has no download ' +
        'link, and fails if the file cannot be delivered.',
      default: true,
    }),
  ),
};

interface DescribedDelivery {
  readonly putUrl?: string;
  readonly putHeaders?: Readonly<Record<string, string>>;
  readonly keep?: boolean;
}

/**
 * Headers of an upload that callers may not set. A part or an encoded form of the file would not be the proven file.
 */
const reservedPutHeaders: ReadonlySet<string> = new Set([...reservedHeaders, 'content-encoding', 'content-range']);

/** Finds what the schema of a delivery cannot express. */
export function deliveryFaults({ putUrl, putHeaders, keep }: DescribedDelivery): FieldFault[] {
  if (putUrl === undefined) {
    return [
      ...(putHeaders === undefined ? [] : [{ path: 'output.putHeaders', message: 'requires putUrl' }]),
      ...(keep === false ? [{ path: 'output.keep', message: 'must be true without putUrl' }] : []),
    ];
  }
  return [
    ...urlFaults('output.putUrl', putUrl),
    ...credentialFaults('output.putUrl', putUrl),
    ...headerFaults('output.putHeaders', putHeaders ?? {}, reservedPutHeaders),
  ];
}

/** Returns where a result is delivered; undefined without `putUrl`. */
export function normalizeDelivery({
  putUrl,
  putHeaders = {},
  keep = true,
}: DescribedDelivery): DeliveryTarget | undefined {
  return putUrl === undefined ? undefined : { url: putUrl, headers: putHeaders, keep };
}
