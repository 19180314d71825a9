import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { MillraceError } from '../contract/errors.ts';
import { relayedType } from '../contract/media-types.ts';
import type { ContentRange } from '../egress/content-range.ts';
import type { BodySink, ResponseHead } from '../egress/egress.ts';
import { isSameVersion, type VersionFacts, validatorOf } from '../egress/validator.ts';
import type { RelayOrder } from './relay-link.ts';
import { type RelayedHead, relayedHead } from './relayed-head.ts';
import { extentOf } from './source-extent.ts';

/** The response for the caller. It has no body for HEAD and for a range outside the file. */
export interface MediaResponse extends RelayedHead {
  readonly body?: Readable;
}

/** A response for the caller, of which several source responses can be parts, one after the other. */
export interface Delivery {
  /** Resolves with the first head. */
  readonly response: Promise<MediaResponse>;
  /** Returns the range headers for the next request to the source. */
  range(): Readonly<Record<string, string>>;
  /**
   * Takes the next response of the source. Returns the sink for its body; undefined if no body is needed.
   *
   * @throws MillraceError as {@link relayedHead}; `invalid_response_data` if the response does not continue the file.
   */
  accept(head: ResponseHead, order: RelayOrder): BodySink | undefined;
  /** Whether the caller has everything that the first head stated. */
  isComplete(): boolean;
  /** Whether everything that the last head stated has arrived. It may be less than what was requested. */
  isPartComplete(): boolean;
  /** Whether a further response can supply the bytes that are missing. */
  canContinue(): boolean;
  end(): void;
  fail(error: unknown): void;
}

/** The properties that all parts of a response must share. */
interface Version {
  readonly url: string;
  readonly type: string;
  readonly headers: ResponseHead['headers'];
  readonly extent: ContentRange | undefined;
  readonly facts: VersionFacts;
}

/**
 * Creates a delivery.
 *
 * @param range `Range` and `If-Range` of the caller, if they are forwarded.
 * @param hasBody False for HEAD.
 */
export function createDelivery(range: Readonly<Record<string, string>>, hasBody: boolean): Delivery {
  const { promise: response, resolve, reject } = Promise.withResolvers<MediaResponse>();
  // Holds one chunk of the source until the caller reads it.
  const stream = new PassThrough({ readableHighWaterMark: 0, writableHighWaterMark: 1 });
  // Readers of the stream handle its errors. Before there are readers, the promise rejects.
  stream.on('error', reject);
  /** The file as the caller knows it from the first head; undefined before that. */
  let version: Version | undefined;
  let isEmpty = false;
  /** Position of the next byte in the file. */
  let position = 0;
  /** The bytes that the last head stated. */
  let part: ContentRange | undefined;

  function begin(head: ResponseHead, order: RelayOrder): BodySink | undefined {
    const relayed = relayedHead(head, order, 'range' in range);
    version = versionOf(head, order);
    part = version.extent;
    position = version.extent?.first ?? 0;
    isEmpty = !hasBody || relayed.status === 416;
    resolve(isEmpty ? relayed : { ...relayed, body: stream });
    return isEmpty ? undefined : sink;
  }

  const isComplete = () => isEmpty || version?.extent === undefined || position === version.extent.last + 1;
  const sink: BodySink = {
    write(chunk) {
      position += chunk.length;
      const last = part?.last ?? Number.POSITIVE_INFINITY;
      if (position > last + 1) throw differentVersion();
      return stream.write(chunk) ? undefined : once(stream, 'drain').then(() => undefined);
    },
  };

  return {
    response,
    range: () => (version?.extent === undefined ? range : { range: `bytes=${position}-${version.extent.last}` }),
    accept(head, order) {
      if (version === undefined) return begin(head, order);
      const next = versionOf(head, order);
      if (!isContinuation(version, next, position)) throw differentVersion();
      part = next.extent;
      return sink;
    },
    isComplete,
    isPartComplete: () => part !== undefined && position === part.last + 1,
    canContinue: () => version?.extent !== undefined && !isComplete(),
    end: () => stream.end(),
    fail: (error) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  };
}

function versionOf(head: ResponseHead, { url, mediaType }: RelayOrder): Version {
  const { headers } = head;
  const type = head.status === 416 ? '' : relayedType(headers['content-type'], mediaType);
  const validator = validatorOf(head)?.text;
  return { url, type, headers, extent: extentOf(head), facts: validator === undefined ? {} : { validator } };
}

/**
 * Whether a response continues a file, with the rest of it or with some of the rest (RFC 9110 §15.3.7). Size and type
 * must be the same, and if the link is the same, also the version. The validators of another link may differ although the
 * bytes are the same, because another host states them.
 */
function isContinuation(file: Version, next: Version, position: number): boolean {
  return (
    file.extent !== undefined &&
    next.extent?.first === position &&
    next.extent.last <= file.extent.last &&
    next.extent.total === file.extent.total &&
    next.type === file.type &&
    next.headers['content-encoding'] === file.headers['content-encoding'] &&
    (next.url !== file.url || isSameVersion(file.facts, next.facts) !== false)
  );
}

function differentVersion(): MillraceError {
  return new MillraceError('invalid_response_data', 'The source replaced the file during the download. Try again.');
}
