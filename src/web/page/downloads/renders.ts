import { MillraceRenderError, type RenderOutput, type RenderStatusEvent } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { client } from '../common/client.ts';
import { createStore } from '../common/store.ts';
import { messages } from '../language/language.ts';
import { describeError } from '../problems/error-text.ts';
import { expectSave, saveIfExpected } from './auto-save.ts';
import { addSample, type Sample } from './estimate.ts';
import { isExpired, onSavedRendersChanged, readSavedRenders, type SavedRender, saveRenders } from './saved-renders.ts';
import { restartJob, startJob } from './start-job.ts';
import { statusText } from './status-text.ts';

/** Why something that the visitor requested was not possible. */
export interface Notice {
  readonly title: string;
  readonly text: string | undefined;
}

/** A render and its current state. */
export interface Render extends SavedRender {
  readonly samples: readonly Sample[];
  /** Whether the status stream was interrupted and is being reopened. */
  readonly reconnecting: boolean;
  /** Whether a cancel request is in progress. */
  readonly cancelling: boolean;
  /** Whether it is being started again, and whether new links are requested for that. */
  readonly restarting?: 'same' | 'fresh' | undefined;
  /** Why the last attempt to cancel it or to start it again failed. */
  readonly notice?: Notice | undefined;
}

/** A render to start. */
type NewRender = Pick<
  SavedRender,
  'id' | 'title' | 'label' | 'name' | 'kind' | 'platform' | 'source' | 'content' | 'parameters' | 'executionUrl'
> & {
  readonly bytes?: number | undefined;
};

/** Retries of a cancel request, which is idempotent. */
const CANCEL_RETRIES = 2;
/** Longer than any render. */
const RENDER_TIMEOUT_MS = 24 * 3_600_000;
/** Maximum reconnects: enough for some minutes, in which a service can restart. */
const RECONNECTS = 40;
const EXPIRY_CHECK_MS = 15_000;

const texts = () => messages().files;

const toRender = (render: SavedRender): Render => ({ ...render, samples: [], reconnecting: false, cancelling: false });

/** The renders of this browser, newest first. */
export const renders = createStore<readonly Render[]>(readSavedRenders().map(toRender));

/** The controller that stops watching each render, by its ID. */
const watchers = new Map<string, AbortController>();

/** Watches the renders that were in progress when the page was closed, and follows changes by other windows. */
export function resumeRenders(): void {
  for (const render of renders.get()) if (isUnderWay(render) || render.status === 'lost') void watchRender(render);
  onSavedRendersChanged(() => {
    const current = new Map(renders.get().map((render) => [render.id, render]));
    const savedRenders = readSavedRenders();
    renders.set(savedRenders.map((render) => current.get(render.id) ?? toRender(render)));
    for (const render of savedRenders) if (!current.has(render.id) && isUnderWay(render)) void watchRender(render);
  });
  setInterval(() => {
    const now = Date.now();
    if (renders.get().some((render) => isExpired(render, now)))
      replaceAll(renders.get().filter((render) => !isExpired(render, now)));
  }, EXPIRY_CHECK_MS);
}

/** Whether a render has not ended yet. */
export function isUnderWay({ status }: SavedRender): boolean {
  return status !== 'done' && status !== 'failed' && status !== 'lost';
}

/** Starts a render whose file is saved when it is ready. If the render is in the list and ready, saves its file at once. */
export async function startRender({ bytes, ...render }: NewRender): Promise<void> {
  const existing = renders.get().find(({ id }) => id === render.id);
  if (existing !== undefined && existing.status !== 'failed' && existing.status !== 'lost') {
    expectSave(existing.id);
    saveIfExpected(existing);
    return;
  }
  const job = await startJob(render.id, render.executionUrl);
  const started: SavedRender = {
    ...render,
    ...(bytes === undefined ? {} : { bytes }),
    ...job,
    status: 'pending',
    progress: 0,
  };
  expectSave(started.id);
  replaceAll([toRender(started), ...renders.get().filter(({ id }) => id !== started.id)]);
  void watchRender(started);
}

/**
 * Starts a failed render again, or resumes watching a lost one. If its links may no longer work, it requests new ones,
 * which starts another job. Returns the ID of the job; undefined if it could not be started.
 */
export async function restartRender(id: string): Promise<string | undefined> {
  const render = renders.get().find((entry) => entry.id === id);
  if (render === undefined || render.restarting !== undefined) return undefined;
  try {
    update(id, { restarting: 'same', notice: undefined });
    const job = await restartJob(render, () => {
      update(id, { restarting: 'fresh' });
      announce(texts().announcement(render.title, texts().restarting.fresh));
    });
    const { error: _error, errorCode: _code, cancelled: _cancelled, retryable: _retryable, ...rest } = render;
    const { output: _output, notes: _notes, expiresAt: _expiresAt, notice: _notice, ...kept } = rest;
    const started: Render = { ...kept, ...job, status: 'pending', progress: 0, samples: [] };
    expectSave(started.id);
    replaceAll(renders.get().map((entry) => (entry.id === id ? started : entry)));
    void watchRender(started);
    return started.id;
  } catch (error) {
    const { title, text, retryable } = describeError(error);
    update(id, { notice: { title, text }, cancelled: false, retryable });
    return undefined;
  } finally {
    update(id, { restarting: undefined });
  }
}

/** Cancels a render, whose status stream then ends. Returns whether the request succeeded. */
export async function cancelRender(id: string): Promise<boolean> {
  const render = renders.get().find((entry) => entry.id === id);
  if (render === undefined || render.cancelling) return false;
  update(id, { cancelling: true, notice: undefined });
  try {
    await client.renders.cancel(render.executionUrl, { retries: CANCEL_RETRIES });
    return true;
  } catch (error) {
    update(id, { notice: { title: texts().cancelFailed, text: describeError(error).title } });
    return false;
  } finally {
    update(id, { cancelling: false });
  }
}

/** Removes a render from the list. The service deletes its file when it expires. */
export function removeRender(id: string): void {
  watchers.get(id)?.abort();
  replaceAll(renders.get().filter((render) => render.id !== id));
}

async function watchRender({ id, title, sseStatusUrl }: SavedRender): Promise<void> {
  const controller = new AbortController();
  watchers.get(id)?.abort();
  watchers.set(id, controller);
  const onReconnect = () => update(id, { reconnecting: true });
  const options = { signal: controller.signal, timeout: RENDER_TIMEOUT_MS, reconnects: RECONNECTS, onReconnect };
  try {
    for await (const event of client.renders.status({ sseStatusUrl }, options)) {
      const previous = renders.get().find((render) => render.id === id);
      const changes = changesOf(event, previous);
      update(id, changes);
      if (changes.status === 'done') saveIfExpected({ id, output: changes.output });
      if (previous?.status !== changes.status) announce(texts().announcement(title, statusText(changes)));
    }
  } catch (error) {
    if (controller.signal.aborted) return;
    const notFound = error instanceof MillraceRenderError && error.status === 'not_found';
    const text = notFound ? texts().expired : describeError(error).text;
    update(id, { status: 'lost', error: text, reconnecting: false });
    announce(texts().announcement(title, text));
  }
}

type Changes = Partial<Render> & Pick<Render, 'status'>;

function changesOf(event: RenderStatusEvent, previous: Render | undefined): Changes {
  const { status, progress, output, error, expires_at: expiresAt } = event;
  return {
    status,
    progress,
    expiresAt,
    reconnecting: false,
    samples: addSample(previous?.samples ?? [], { at: Date.now(), progress }),
    ...(output === null ? {} : fileOf(output)),
    ...(error === null
      ? {}
      : {
          error,
          ...(event.error_code === null ? {} : { errorCode: event.error_code }),
          cancelled: event.error_code === 'cancelled',
          // A new link can succeed where the old one was refused.
          retryable: event.error_code === 'source_refused' || (event.retryable ?? true),
        }),
  };
}

function fileOf({ url, size, notes }: RenderOutput): Partial<Render> {
  return { output: { url, size }, notes: notes.map(({ message }) => message) };
}

function update(id: string, changes: Partial<Render>): void {
  const previous = renders.get();
  const status = previous.find((render) => render.id === id)?.status;
  const next = previous.map((render) => (render.id === id ? { ...render, ...changes } : render));
  // Progress changes every second, and does not need to be saved.
  if (changes.status === status) renders.set(next);
  else replaceAll(next);
}

function replaceAll(next: readonly Render[]): void {
  renders.set(next);
  saveRenders(
    next.map(
      ({
        samples: _samples,
        reconnecting: _reconnecting,
        cancelling: _cancelling,
        restarting: _restarting,
        notice: _notice,
        ...render
      }) => render,
    ),
  );
}
