import type { ErrorCode, FieldFault } from '../../../src/contract/errors.ts';
import type { NotFoundEvent, RenderStatusEvent } from '../../../src/contract/status.ts';
import type { Parameters } from './parameters.ts';

/** What was asked when something went wrong. */
export interface RequestFacts {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Without its query, which may be a credential. */
  readonly url: string;
  /** Those of the extraction API. */
  readonly parameters?: Parameters;
}

/** The common ancestor: `error instanceof MillraceClientError` tells the client's errors from all others. */
export abstract class MillraceClientError extends Error {
  /** Whether the same request can succeed later. */
  abstract readonly retryable: boolean;
}

/** What the service says of an error. */
export interface ApiErrorFacts {
  readonly message: string;
  readonly code: ErrorCode | (string & {});
  readonly statusCode: number;
  readonly retryable: boolean;
  readonly parameter?: string | undefined;
  readonly reason?: string | undefined;
  readonly fields?: readonly FieldFault[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The service answered that it cannot, or will not, do what was asked. Its message is written for people. */
export class MillraceApiError extends MillraceClientError {
  override readonly name = 'MillraceApiError';
  /** Stable machine-readable code; `other` where what answered told none, such as a gateway. */
  readonly code: ErrorCode | (string & {});
  /** Suggested HTTP status; that of the answer itself, where it was refused. */
  readonly statusCode: number;
  readonly retryable: boolean;
  /** The parameter at fault. */
  readonly parameter: string | undefined;
  /** The source platform's own words. */
  readonly reason: string | undefined;
  /** The members of the body at fault, such as `inputs.0.url`. */
  readonly fields: readonly FieldFault[] | undefined;
  /** Seconds after which a retry can succeed, where the service says so. */
  readonly retryAfter: number | undefined;
  /** All that the service said, with what has no member here: `allowedCountries` and the like. */
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
    this.detail = facts.detail ?? {};
    this.request = request;
  }
}

/**
 * How an exchange failed. `unreachable`: there was no answer. `timeout`: none came in time. `interrupted`: it broke
 * off, and did not come on again. `unreadable`: it is none that the service gives. `changed`: a file is not the one any
 * more whose first part is there.
 */
export type NetworkFault = 'unreachable' | 'timeout' | 'interrupted' | 'unreadable' | 'changed';

/** No answer of the service came, or not the whole of it. */
export class MillraceNetworkError extends MillraceClientError {
  override readonly name = 'MillraceNetworkError';
  readonly fault: NetworkFault;
  readonly retryable: boolean;
  readonly request: RequestFacts;

  constructor(fault: NetworkFault, message: string, request: RequestFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
    this.retryable = fault !== 'changed';
    this.request = request;
  }
}

/** The `error` of a status event after the job's owner cancelled it; its `error_code` is `cancelled`. */
export const cancelledError = 'Cancelled by its owner';

/** A render ended without a file, or there is none of this id. */
export class MillraceRenderError extends MillraceClientError {
  override readonly name = 'MillraceRenderError';
  readonly jobId: string;
  readonly status: 'failed' | 'not_found';
  /** Stable machine-readable code; `other` if the service is a version without codes. */
  readonly code: ErrorCode | (string & {});
  /** Index of the job's input at fault; null if the failure is not about a single input. */
  readonly input: number | null;
  /** Whether the owner cancelled the job. */
  readonly cancelled: boolean;
  /** Whether starting the same job again can succeed. It cannot if its links have expired: get fresh ones. */
  readonly retryable: boolean;

  constructor(event: RenderStatusEvent | NotFoundEvent) {
    const failed = 'job_id' in event;
    super(event.error ?? 'The render failed.');
    this.jobId = failed ? event.job_id : event.id;
    this.status = failed ? 'failed' : 'not_found';
    // A version without codes leaves these out.
    const olderCode = event.error === cancelledError ? 'cancelled' : 'other';
    this.code = event.error_code ?? (failed ? olderCode : 'not_found');
    this.input = event.input ?? null;
    this.retryable = event.retryable ?? false;
    this.cancelled = this.code === 'cancelled';
  }
}

/**
 * What is wrong with a webhook. `incomplete`: it lacks a header. `forged`: it was not signed with the secret. `stale`: it
 * was, and too long ago.
 */
export type WebhookFault = 'incomplete' | 'forged' | 'stale';

/** What came to a webhook is not to be believed. */
export class MillraceWebhookError extends MillraceClientError {
  override readonly name = 'MillraceWebhookError';
  readonly fault: WebhookFault;
  readonly retryable = false;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
