/** Class of an HTTP status. Interim responses count as 2xx. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx';

/** Returns the class of an HTTP status. */
export function statusClassOf(status: number): StatusClass {
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
