/**
 * Whether an S3 store refused a request permanently: credentials, permissions, missing bucket. 408 and 429 are
 * temporary. S3ServiceException has the status in `$metadata` (client-s3 3.1169.0).
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error && '$metadata' in error)) return false;
  const { $metadata: metadata } = error;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/**
 * Returns the name of an error that callers may see: a code such as `ENOSPC` or `AccessDenied`, without paths and
 * addresses.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
