import { MillraceApiError, MillraceRenderError } from '#client/errors.ts';
import type { NewJob } from '#client/renders/job-source.ts';
import type { OutputNote } from '../../contract/notes.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { followRender } from '../follow-render.ts';
import { CommandError } from '../report-error.ts';
import type { Reporter } from '../reporter.ts';
import type { Session } from '../service/session.ts';
import type { Choice } from './choose.ts';

/** What fetching needs. */
export interface FetchTools {
  readonly session: Session;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** Where a chosen file can be downloaded. */
export interface Located {
  readonly url: string;
  readonly size?: number;
  /** The render that made it: its status stream, or its id. */
  readonly render?: string;
  /** How a rendered file differs from its inputs. */
  readonly notes?: readonly OutputNote[];
}

/**
 * Finds where a file can be downloaded; renders it, where that is how it comes.
 *
 * @param earlier The render that an earlier attempt started; it is attached to, if it lives.
 * @param started Hears of the render before the wait.
 * @throws as the client's `start` and `status`.
 */
export async function locate(
  choice: Choice,
  earlier: string | undefined,
  started: (render: string) => Promise<void>,
  { session, reporter, signal }: FetchTools,
): Promise<Located> {
  const { client } = session;
  const what = startableOf(choice, session);
  if (typeof what === 'object' && 'url' in what) return what;
  const follow = async (render: string): Promise<Located> => {
    const { url, size, notes } = await followRender(client, render, reporter, signal);
    return { url, size, render, notes };
  };
  if (earlier !== undefined) {
    const found = await follow(earlier).catch((error: unknown) => {
      if (signal.aborted || !isGone(error)) throw error;
    });
    if (found !== undefined) return found;
  }
  await untilAborted(session.ready(), signal);
  const { sseStatusUrl, jobId } = await client.renders.start(what, { signal });
  // A service inside this process has another address the next time.
  const render = session.service === undefined ? jobId : sseStatusUrl;
  await started(render);
  return await follow(render);
}

/** Whether a render is none that can be attached to: there is no such one any more, or it failed. */
function isGone(error: unknown): boolean {
  return error instanceof MillraceRenderError || error instanceof MillraceApiError;
}

const needsKey =
  'This comes in pieces, of which only a job makes a file. Its key comes from MILLRACE_RENDER_KEY or ' +
  'MILLRACE_RENDER_KEY_FILE.';

/** What is started for a choice, or its own link where the service need not do anything with it. */
function startableOf({ start, url, ext, playlist }: Choice, session: Session): string | NewJob | { url: string } {
  if (start !== undefined) return start;
  if (url === undefined) throw new Error('a choice has neither a link nor a render');
  if (playlist === true) {
    if (!session.mayRender) throw new CommandError(needsKey);
    return { inputs: [{ url, ext: 'm3u8' }], output: { ext }, operation: { type: 'convert_format' } };
  }
  // Without a key for jobs, what lies elsewhere is fetched from there.
  if (new URL(url).origin === session.origin || !session.mayRender) return { url };
  return { inputs: [{ url, ext }], output: { ext }, operation: { type: 'no_process' } };
}
