import type { ErrorCode, FieldFault } from '../../../src/contract/errors.ts';
import type { NotFoundEvent, RenderStatusEvent } from '../../../src/contract/job-status.ts';
import { cancelledError } from '../../../src/contract/shared-constants.ts';
import type { Parameters } from './parameters.ts';

/** The request that an error is about. */
export interface RequestFacts {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The URL without its query, which may be a credential. */
  readonly url: string;
  /** Parameters of the extraction API. */
  readonly parameters?: Parameters;
}

/** The base class: `error instanceof MillraceClientError` matches every error of the client. */
export abstract class MillraceClientError extends Error {
  /** Whether the same request can succeed later. */
  abstract readonly retryable: boolean;
}

/** The members of a service error. */
interface ApiErrorFacts {
  readonly message: string;
  readonly code: ErrorCode | (string & {});
  readonly statusCode: number;
  readonly retryable: boolean;
  readonly parameter?: string | undefined;
  readonly reason?: string | undefined;
  readonly fields?: readonly FieldFault[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The service or the platform refused the request. The message is written for people. */
export class MillraceApiError extends MillraceClientError {
  override readonly name = 'MillraceApiError';
  /** Stable machine-readable code; `other` if the response had none, for example because a gateway sent it. */
  readonly code: ErrorCode | (string & {});
  /** Suggested HTTP status; the status of the response if it was not 2xx. */
  readonly statusCode: number;
  readonly retryable: boolean;
  /** The invalid parameter. */
  readonly parameter: string | undefined;
  /** The platform's own message. */
  readonly reason: string | undefined;
  /** The invalid members of the body, such as `inputs.0.url`. */
  readonly fields: readonly FieldFault[] | undefined;
  /** Seconds after which a retry can succeed, if known. */
  readonly retryAfter: number | undefined;
  /** ID of the request (`X-Request-Id`), with which the operator finds it in the log. */
  readonly requestId: string | undefined;
  /** The whole `error` of the response, with members that have no property here, such as `allowedCountries`. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly request: RequestFacts;

  constructor(facts: ApiErrorFacts, request: RequestFacts) {
    super(facts.message);
    this.code = facts.code;
    this.statusCode = facts.statusCode;
    this.retryable = facts.retryable;
    this.parameter = facts.parameter;
    this.reason = facts.reason;
    this.fields = facts.fields;
    this.retryAfter = facts.retryAfter;
    this.requestId = facts.requestId;
    this.detail = facts.detail ?? {};
    this.request = request;
  }
}

/**
 * How a request failed. `unreachable`: no response. `timeout`: no response in time. `interrupted`: the connection was
 * lost, and reconnecting failed. `unreadable`: the response did not come from the service. `changed`: a file has
 * changed since its download began. `redirected`: the service redirects to another origin, where keys and jobs are not
 * sent, or without end. `malformed`: a member of a response is missing or has the wrong type.
 */
export type NetworkFault =
  | 'unreachable'
  | 'timeout'
  | 'interrupted'
  | 'unreadable'
  | 'changed'
  | 'redirected'
  | 'malformed';

/** Faults that the same request cannot get rid of. */
const lastingFaults: ReadonlySet<NetworkFault> = new Set(['changed', 'redirected', 'malformed']);

/** No response arrived, or only part of one. */
export class MillraceNetworkError extends MillraceClientError {
  override readonly name = 'MillraceNetworkError';
  readonly fault: NetworkFault;
  readonly retryable: boolean;
  readonly request: RequestFacts;

  constructor(fault: NetworkFault, message: string, request: RequestFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
    this.retryable = !lastingFaults.has(fault);
    this.request = request;
  }
}

/** A render failed, or there is no render with this ID. */
export class MillraceRenderError extends MillraceClientError {
  override readonly name = 'MillraceRenderError';
  readonly jobId: string;
  readonly status: 'failed' | 'not_found';
  /** Stable machine-readable code; `other` if the service is an older version, which sends no codes. */
  readonly code: ErrorCode | (string & {});
  /** Index of the input that failed; null if the failure is not about a single input. */
  readonly input: number | null;
  /** ID of the request that started the job; undefined for older versions of the service. */
  readonly requestId: string | undefined;
  /** Whether the job was cancelled by its owner. */
  readonly cancelled: boolean;
  /**
   * Whether starting the same job again can succeed. It cannot succeed if the links in the job have expired: request
   * new source links.
   */
  readonly retryable: boolean;

  constructor(event: RenderStatusEvent | NotFoundEvent) {
    const failed = 'job_id' in event;
    super(event.error ?? 'The render failed.');
    this.jobId = failed ? event.job_id : event.id;
    this.status = failed ? 'failed' : 'not_found';
    // Older versions of the service send no codes.
    const olderCode = event.error === cancelledError ? 'cancelled' : 'other';
    this.code = event.error_code ?? (failed ? olderCode : 'not_found');
    this.input = event.input ?? null;
    this.requestId = failed ? (event.request_id ?? undefined) : undefined;
    this.retryable = event.retryable ?? false;
    this.cancelled = this.code === 'cancelled';
  }
}

/**
 * Why a webhook was rejected. `incomplete`: a header is missing. `forged`: the signature does not match the secret.
 * `stale`: it was signed too long ago.
 */
export type WebhookFault = 'incomplete' | 'forged' | 'stale';

/** A webhook was rejected. */
export class MillraceWebhookError extends MillraceClientError {
  override readonly name = 'MillraceWebhookError';
  readonly fault: WebhookFault;
  readonly retryable = false;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Why a collection cannot be read. `not_listed`: the platform does not list the entries. `incomplete_link`: the link
 * lacks a parameter that the platform requires. `invalid_resume`: the resume token is damaged or belongs to another
 * link.
 */
export type CollectionFault = 'not_listed' | 'incomplete_link' | 'invalid_resume';

/** A collection cannot be read. */
export class MillraceCollectionError extends MillraceClientError {
  override readonly name = 'MillraceCollectionError';
  readonly fault: CollectionFault;
  readonly retryable = false;

  constructor(fault: CollectionFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
