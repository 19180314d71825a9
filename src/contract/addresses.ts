/** The public addresses of the service, without a slash at the end. */
export interface Addresses {
  /** The extraction API. */
  readonly base: string;
  /** Job creation. */
  readonly api: string;
  /** Execution URLs, status streams and files. */
  readonly render: string;
}

/** Longer URLs are cut or refused by proxies on the way. */
export const maxUrlLength = 7_500;

/** The links of a job's status streams. */
export function statusLinks({ render }: Addresses, jobId: string): { statusUrl: string; sseStatusUrl: string } {
  const id = encodeURIComponent(jobId);
  return {
    statusUrl: `${render.replace(/^http/, 'ws')}/api/v1/render/status/${id}`,
    sseStatusUrl: `${render}/api/v1/render/status/sse/${id}`,
  };
}

/** The link of a finished file. */
export function fileLink({ render }: Addresses, link: string, name: string): string {
  return `${render}/files/${link}/${encodeURIComponent(name)}`;
}
