import { linkPaths, pathOf, renderPaths } from './render-api/paths.ts';

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
export function statusLinks(
  { render }: Pick<Addresses, 'render'>,
  jobId: string,
): { statusUrl: string; sseStatusUrl: string } {
  return {
    statusUrl: webSocketAddress(render) + pathOf(renderPaths.watchJob, { jobId }),
    sseStatusUrl: render + pathOf(renderPaths.watchJobEvents, { jobId }),
  };
}

/** The address for WebSockets of an http or https address. */
export function webSocketAddress(address: string): string {
  return address.replace(/^http/, 'ws');
}

/** The link of a finished file. */
export function fileLink({ render }: Pick<Addresses, 'render'>, link: string, name: string): string {
  return render + pathOf(linkPaths.downloadFile, { link, name });
}
