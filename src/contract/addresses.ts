import { linkPaths, pathOf, renderPaths } from './render-api/paths.ts';

/** The public addresses of the service, without a trailing slash. */
export interface Addresses {
  /** The extraction API. */
  readonly base: string;
  /** Address for creating jobs. */
  readonly api: string;
  /** Execution URLs, status streams and files. */
  readonly render: string;
}

/** Maximum length of a URL in characters. Proxies truncate or reject longer ones. */
export const maxUrlLength = 7_500;

/** Returns the links of a job's status streams. */
export function statusLinks(
  { render }: Pick<Addresses, 'render'>,
  jobId: string,
): { statusUrl: string; sseStatusUrl: string } {
  return {
    statusUrl: webSocketAddress(render) + pathOf(renderPaths.watchJob, { jobId }),
    sseStatusUrl: render + pathOf(renderPaths.watchJobEvents, { jobId }),
  };
}

/** Converts an http or https address to its WebSocket address. */
export function webSocketAddress(address: string): string {
  return address.replace(/^http/, 'ws');
}

/** Returns the link of a finished file. */
export function fileLink({ render }: Pick<Addresses, 'render'>, link: string, name: string): string {
  return render + pathOf(linkPaths.downloadFile, { link, name });
}

/** Returns the receipt of a file. Both are links, names or paths. */
export function receiptOf(file: string): string {
  return `${file}.receipt`;
}
