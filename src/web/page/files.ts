import { MillraceRenderError, type RenderOutput, type RenderStatusEvent } from '#client/index.ts';
import { announce } from './announcer.ts';
import { isExpired, type KeptFile, keepFiles, onFilesChanged, readFiles } from './kept-files.ts';
import { addSample, type Sample } from './pace.ts';
import { problemOf } from './problems.ts';
import { client } from './service.ts';
import { stageText } from './stages.ts';
import { createStore } from './store.ts';

/** A render as it is shown. */
export interface ShownFile extends KeptFile {
  readonly samples: readonly Sample[];
  /** Whether its status stream broke off, and is looked for again. */
  readonly interrupted: boolean;
  /** Whether it is just being cancelled. */
  readonly ending: boolean;
}

/** A render to begin. */
export type NewFile = Pick<KeptFile, 'id' | 'title' | 'label' | 'kind' | 'platform' | 'source' | 'executionUrl'> & {
  readonly bytes?: number | undefined;
};

/** Starting is asked again by itself: the same render is started once, however often it is asked for. */
const START_RETRIES = 2;
/** The longest that a render can take. */
const PATIENCE_MS = 24 * 3_600_000;
/** A service that is restarted, or moved, is back within this many attempts: some minutes. */
const RECONNECTS = 40;
const EXPIRY_CHECK_MS = 15_000;

const shown = (file: KeptFile): ShownFile => ({ ...file, samples: [], interrupted: false, ending: false });

/** The renders of this browser, the newest first. */
export const files = createStore<readonly ShownFile[]>(readFiles().map(shown));

/** What ends the watching of each. */
const watched = new Map<string, AbortController>();

/** Goes on with what was under way when the page was left, and keeps in step with other windows. */
export function openFiles(): void {
  for (const file of files.get()) if (isUnderWay(file) || file.status === 'lost') void watch(file);
  onFilesChanged(() => {
    const known = new Map(files.get().map((file) => [file.id, file]));
    const kept = readFiles();
    files.set(kept.map((file) => known.get(file.id) ?? shown(file)));
    for (const file of kept) if (!known.has(file.id) && isUnderWay(file)) void watch(file);
  });
  setInterval(() => {
    const now = Date.now();
    if (files.get().some((file) => isExpired(file, now))) change(files.get().filter((file) => !isExpired(file, now)));
  }, EXPIRY_CHECK_MS);
}

/** Whether a render has not come to its end. */
export function isUnderWay({ status }: KeptFile): boolean {
  return status !== 'done' && status !== 'failed' && status !== 'lost';
}

/** Starts a render, unless it is among the files already. */
export async function begin({ bytes, ...file }: NewFile): Promise<void> {
  if (files.get().some(({ id }) => id === file.id)) return;
  const { sseStatusUrl } = await client.renders.start(file.executionUrl, { retries: START_RETRIES });
  const begun = {
    ...file,
    ...(bytes === undefined ? {} : { bytes }),
    sseStatusUrl,
    status: 'pending',
    progress: 0,
  } as const;
  change([shown(begun), ...files.get()]);
  void watch(begun);
}

/** Starts a render again that failed, or watches one again that was lost. */
export async function beginAgain(id: string): Promise<void> {
  const file = files.get().find((one) => one.id === id);
  if (file === undefined) return;
  try {
    const { sseStatusUrl } = await client.renders.start(file.executionUrl, { retries: START_RETRIES });
    const { error: _error, cancelled: _cancelled, retryable: _retryable, ...rest } = file;
    const begun: ShownFile = { ...rest, sseStatusUrl, status: 'pending', progress: 0, samples: [] };
    change(files.get().map((one) => (one.id === id ? begun : one)));
    void watch(begun);
  } catch (error) {
    const { title, text, retryable } = problemOf(error);
    update(id, { error: `${title}. ${text}`, cancelled: false, retryable });
  }
}

/** Cancels a render, whose status stream tells the rest. Says whether it is over. */
export async function cancel(id: string): Promise<boolean> {
  const file = files.get().find((one) => one.id === id);
  if (file === undefined || file.ending) return false;
  update(id, { ending: true });
  try {
    await client.renders.cancel(file.executionUrl, { retries: START_RETRIES });
    return true;
  } catch (error) {
    update(id, { error: `It could not be cancelled. ${problemOf(error).text}` });
    return false;
  } finally {
    update(id, { ending: false });
  }
}

/** Forgets a file here; the service deletes it when it expires. */
export function forget(id: string): void {
  watched.get(id)?.abort();
  change(files.get().filter((file) => file.id !== id));
}

async function watch({ id, title, sseStatusUrl }: KeptFile): Promise<void> {
  const ended = new AbortController();
  watched.get(id)?.abort();
  watched.set(id, ended);
  const onReconnect = () => update(id, { interrupted: true });
  const options = { signal: ended.signal, timeout: PATIENCE_MS, reconnects: RECONNECTS, onReconnect };
  try {
    for await (const event of client.renders.status({ sseStatusUrl }, options)) {
      const before = files.get().find((file) => file.id === id);
      const facts = factsOf(event, before);
      update(id, facts);
      if (before?.status !== facts.status) announce(`${title}: ${stageText(facts)}`);
    }
  } catch (error) {
    if (ended.signal.aborted) return;
    const gone = error instanceof MillraceRenderError && error.status === 'not_found';
    const text = gone ? 'The service knows nothing of it any more: it has expired.' : problemOf(error).text;
    update(id, { status: 'lost', error: text, interrupted: false });
    announce(`${title}: ${text}`);
  }
}

type Facts = Partial<ShownFile> & Pick<ShownFile, 'status'>;

function factsOf(event: RenderStatusEvent, before: ShownFile | undefined): Facts {
  const { status, progress, output, error, expires_at: expiresAt } = event;
  return {
    status,
    progress,
    expiresAt,
    interrupted: false,
    samples: addSample(before?.samples ?? [], { at: Date.now(), progress }),
    ...(output === null ? {} : fileOf(output)),
    ...(error === null
      ? {}
      : { error, cancelled: event.error_code === 'cancelled', retryable: event.retryable ?? true }),
  };
}

function fileOf({ url, size, notes }: RenderOutput): Partial<ShownFile> {
  return { output: { url, size }, notes: notes.map(({ message }) => message) };
}

function update(id: string, facts: Partial<ShownFile>): void {
  const before = files.get();
  const status = before.find((file) => file.id === id)?.status;
  const next = before.map((file) => (file.id === id ? { ...file, ...facts } : file));
  // Progress is told anew every second, and need not be remembered.
  if (facts.status === status) files.set(next);
  else change(next);
}

function change(next: readonly ShownFile[]): void {
  files.set(next);
  keepFiles(next.map(({ samples: _samples, interrupted: _interrupted, ending: _ending, ...file }) => file));
}
