import { extract } from '../../test/support/http-client.ts';
import { keys, type RunningProcess, startLab, startService, temporaryFolder } from '../../test/support/processes.ts';

/** A service, and a request that it has cached. */
export interface Target {
  readonly service: RunningProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the response. */
  readonly body: string;
}

/** Video details without renders: apart from its price, the response is the same for every caller. */
const PATH = '/p1/v3/video/details?videoId=lab-plain30';

/** Runs a service against the lab, with limits that the load does not reach. */
export async function withTarget(measure: (stand: Target) => Promise<void>): Promise<void> {
  const lab = await startLab();
  const folder = await temporaryFolder();
  try {
    const service = await startService(lab.url, folder.path);
    try {
      const url = service.url + PATH;
      const { status, body } = await extract<{ error: unknown }>(url);
      if (status !== 200 || body.error !== null) throw new Error(`${url} responded with ${status}`);
      const headers = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };
      await measure({ service, url, headers, body: JSON.stringify(body) });
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
    await folder.delete();
  }
}
