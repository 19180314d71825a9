/**
 * The catalogue of all errors. Every error that callers can see has a code here. The codes of the first group come from
 * the contract; the others are our additions.
 */

interface CatalogueEntry {
  /**
   * HTTP status that the error suggests (`error.statusCode`), and the status of the response if the request itself is
   * refused.
   */
  readonly status: number;
  /** Whether the same request can succeed later, unchanged. */
  readonly retryable: boolean;
  /**
   * Where the fault lies. `request`: the caller's request; the response has `status`. `source`: the platform's
   * response, reported in the envelope with HTTP 200. `job`: a render that ended as `failed`. `service`: an internal
   * fault.
   */
  readonly origin: 'request' | 'source' | 'job' | 'service';
}

const request = (status: number, retryable = false): CatalogueEntry => ({ status, retryable, origin: 'request' });
const source = (status: number, retryable = false): CatalogueEntry => ({ status, retryable, origin: 'source' });
const job = (retryable: boolean): CatalogueEntry => ({ status: 500, retryable, origin: 'job' });

/** Every error code with its properties. */
export const errorCatalogue = {
  params_not_found: request(400),
  invalid_params: request(400),
  invalid_url: request(400),
  invalid_platform_url: request(400),
  invalid_token: request(400),
  invalid_user_details: request(401),
  not_found: source(404),
  unavailable: source(403),
  signin_required: source(401),
  age_restricted: source(403),
  token_expired: source(410),
  non_2xx_response: source(502, true),
  connection_error: source(502, true),
  unexpected_redirect: source(502, true),
  invalid_response_data: source(502, true),
  operation_timeout: source(504, true),
  unsupported_proxy_for_geo_targeting: source(400),
  unexpected_error: { status: 500, retryable: true, origin: 'service' },
  other: { status: 500, retryable: true, origin: 'service' },

  unauthorized: request(401),
  forbidden: request(403),
  method_not_allowed: request(405),
  conflict: request(409),
  expired: request(410),
  /** The operator does not serve an item, a channel or a host. Applies to requests, downloads and jobs. */
  blocked: request(451),
  body_too_large: request(413),
  invalid_body: request(400),
  rate_limited: request(429, true),
  quota_exceeded: request(429),
  service_unavailable: { status: 503, retryable: true, origin: 'service' },
  /** Applies to a download and from then on to its job; the download itself cannot be retried. */
  file_lost: { status: 410, retryable: true, origin: 'service' },

  /** The guard of `egress/` refused an address, a scheme or a port. */
  address_refused: source(403),
  source_refused: job(false),
  source_unreachable: job(true),
  source_unsupported: job(false),
  input_too_large: job(false),
  download_timeout: job(true),
  download_incomplete: job(true),
  incompatible_codecs: job(false),
  clip_out_of_range: job(false),
  size_unreachable: job(false),
  input_unreadable: job(false),
  input_incomplete: job(true),
  processing_failed: job(true),
  processing_timeout: job(true),
  result_unproven: job(true),
  storage_failed: job(true),
  delivery_refused: job(false),
  delivery_failed: job(true),
  at_capacity: job(true),
  worker_lost: job(true),
  cancelled: job(false),
} as const satisfies Record<string, CatalogueEntry>;

/** The code of an error, from {@link errorCatalogue}. */
export type ErrorCode = keyof typeof errorCatalogue;

/** A request body member at fault, by its path (`inputs.0.url`). */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

interface MillraceErrorOptions {
  /** The error or value that led to this one. */
  readonly cause?: unknown;
  /** The query parameter at fault. */
  readonly parameter?: string;
  /** The body members at fault. */
  readonly fields?: readonly FieldFault[];
  /** Index of the job's input at fault; null if no single input is. */
  readonly input?: number | null;
  /** The reason as the source states it. */
  readonly reason?: string;
  /** Overrides the catalogue's status if one code is used with two statuses. */
  readonly status?: number;
  /** Overrides the catalogue's `retryable` if the code alone does not decide it. */
  readonly retryable?: boolean;
  /** Seconds after which a retry can succeed, if known. */
  readonly retryAfter?: number;
  /** Facts that help the caller (allowed countries, available languages). */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The error that every part of Millrace throws: a code of the catalogue and a message written for the caller. */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly parameter: string | undefined;
  readonly fields: readonly FieldFault[] | undefined;
  /** Undefined until it is known whether an input is at fault. */
  readonly input: number | null | undefined;
  readonly reason: string | undefined;
  readonly retryAfter: number | undefined;
  readonly detail: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: MillraceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const entry: CatalogueEntry = errorCatalogue[code];
    this.code = code;
    this.status = options.status ?? entry.status;
    this.retryable = options.retryable ?? entry.retryable;
    this.parameter = options.parameter;
    this.fields = options.fields;
    this.input = options.input;
    this.reason = options.reason;
    this.retryAfter = options.retryAfter;
    this.detail = options.detail;
  }

  /** Where the fault lies; see the catalogue. */
  get origin(): CatalogueEntry['origin'] {
    return errorCatalogue[this.code].origin;
  }
}

const itemRefusals: ReadonlySet<ErrorCode> = new Set(['not_found', 'unavailable', 'signin_required', 'age_restricted']);

/** Whether an error is a platform's refusal of an item: it is gone, or signed-out visitors may not see it. */
export function isItemRefusal(error: unknown): error is MillraceError {
  return error instanceof MillraceError && itemRefusals.has(error.code);
}

/** Adds the index of the job's input at fault to an error. Returns other values, and errors with an `input`, unchanged. */
export function withInput(value: unknown, input: number): unknown {
  if (!(value instanceof MillraceError) || value.input !== undefined) return value;
  const { code, message, cause, status, retryable, parameter, fields, reason, retryAfter, detail, stack } = value;
  const optional = {
    ...(cause === undefined ? {} : { cause }),
    ...(parameter === undefined ? {} : { parameter }),
    ...(fields === undefined ? {} : { fields }),
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(detail === undefined ? {} : { detail }),
  };
  const error = new MillraceError(code, message, { ...optional, status, retryable, input });
  return Object.assign(error, { stack });
}

/**
 * Converts anything that was thrown to a {@link MillraceError}. Values of other types are bugs or faults of the
 * environment: they become `unexpected_error`, whose message reveals no internals.
 */
export function toMillraceError(cause: unknown): MillraceError {
  if (cause instanceof MillraceError) return cause;
  return new MillraceError('unexpected_error', 'Something went wrong inside the service. Try again in a moment.', {
    cause,
  });
}
