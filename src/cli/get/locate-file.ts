import { MillraceApiError, MillraceRenderError } from '#client/errors.ts';
import type { NewJob } from '#client/renders/job-target.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { CommandError } from '../errors/command-errors.ts';
import { followRender } from '../reporting/follow-render.ts';
import type { Reporter } from '../reporting/reporter.ts';
import type { Session } from '../service/session.ts';
import type { Choice } from './choose-file.ts';
import type { DownloadLimits } from './download-limits.ts';

/** The context for fetching files. */
export interface FetchContext extends DownloadLimits {
  readonly session: Session;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** The download link of a file. */
export interface LocatedFile {
  readonly url: string;
  readonly size?: number;
  /** SHA-256 in hexadecimal; null or absent if the service states none. */
  readonly sha256?: string | null;
  /** Status stream or ID of the render that produced the file. */
  readonly render?: string;
  /** How a rendered file differs from its inputs. */
  readonly notes?: readonly OutputNote[];
  /** The link of its receipt; null or absent if it has none. */
  readonly receipt?: string | null;
}

/**
 * Returns the download link of a file, and renders the file first if necessary.
 *
 * @param earlierRender The render of an earlier attempt. It is followed instead of starting another one, if it still
 * exists.
 * @param onStart Called with the started render, before waiting for its file.
 * @throws Errors of the client's `start` and `status`.
 */
export async function locateFile(
  choice: Choice,
  earlierRender: string | undefined,
  onStart: (render: string) => Promise<void>,
  { session, reporter, signal }: FetchContext,
): Promise<LocatedFile> {
  const { client } = session;
  const startable = startableOf(choice, session);
  if (typeof startable === 'object' && 'url' in startable) return startable;
  const follow = async (render: string): Promise<LocatedFile> => {
    const { url, size, sha256, notes, receipt } = await followRender(client, render, reporter, signal);
    return { url, size, sha256, render, notes, receipt };
  };
  if (earlierRender !== undefined) {
    const earlierFile = await follow(earlierRender).catch((error: unknown) => {
      if (signal.aborted || !isGone(error)) throw error;
    });
    if (earlierFile !== undefined) return earlierFile;
  }
  await untilAborted(session.ready(), signal);
  const { sseStatusUrl, jobId } = await client.renders.start(startable, { signal });
  // The next run cannot use the status stream of a local service, whose address changes.
  const render = session.service === undefined ? jobId : sseStatusUrl;
  await onStart(render);
  return await follow(render);
}

/** Whether a render has expired or failed, so that it cannot be followed. */
function isGone(error: unknown): boolean {
  return error instanceof MillraceRenderError || error instanceof MillraceApiError;
}

const missingKeyMessage =
  'This video is a playlist of segments, which only a job can convert to a file. Set the key for jobs with MILLRACE_RENDER_KEY or ' +
  'MILLRACE_RENDER_KEY_FILE.';

/** Returns the render or job to start for a choice, or the link of its file if neither is necessary. */
function startableOf({ start, url, ext, playlist, size }: Choice, session: Session): string | NewJob | LocatedFile {
  if (start !== undefined) return start;
  if (url === undefined) throw new CommandError('The service sent neither a link to the file nor one to render it.');
  if (playlist === true) {
    if (!session.canRender) throw new CommandError(missingKeyMessage);
    return { inputs: [{ url, ext: 'm3u8' }], output: { ext }, operation: { type: 'convert_format' } };
  }
  // Without a key for jobs, files of other hosts are fetched directly.
  if (validUrl(url).origin === session.origin || !session.canRender) {
    return { url, ...(size === undefined ? {} : { size }) };
  }
  return { inputs: [{ url, ext }], output: { ext }, operation: { type: 'no_process' } };
}
