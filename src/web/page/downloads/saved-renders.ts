import type { JobState, PlatformId } from '#client/index.ts';
import { readStored, writeStored } from '../common/storage.ts';
import type { WantedFile } from '../query/wanted-file.ts';

/** A render that this browser started, in the form in which it is stored. */
export interface SavedRender {
  /** ID of the job. */
  readonly id: string;
  readonly title: string;
  /** Label of the quality or name of the audio format, as the service knows it. */
  readonly label: string;
  /** Name of the quality for people; default: the label. */
  readonly name?: string;
  readonly kind: WantedFile['kind'];
  readonly platform: PlatformId;
  /** Address of the query on this page. */
  readonly source: string;
  /** Index of the content item that it is made from; default 0. */
  readonly content?: number;
  /** The parameters that shape its file, besides its quality. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly executionUrl: string;
  readonly sseStatusUrl: string;
  /** Size of the inputs, if known. */
  readonly bytes?: number;
  /** `lost`: its status can no longer be read. */
  readonly status: JobState | 'lost';
  readonly progress: number;
  readonly expiresAt?: string;
  readonly output?: { readonly url: string; readonly size: number };
  /** How the file differs from the platform's original, in sentences. */
  readonly notes?: readonly string[];
  readonly error?: string;
  /** Code of the error with which its job failed. */
  readonly errorCode?: string;
  /** Whether it failed because the visitor cancelled it. */
  readonly cancelled?: boolean;
  /** Whether starting a failed render again can succeed. */
  readonly retryable?: boolean;
}

const STORAGE_KEY = 'millrace.files';
const MAX_RENDERS = 30;
const requiredTexts = ['id', 'title', 'label', 'kind', 'platform', 'source', 'executionUrl', 'sseStatusUrl', 'status'];
const optionalTexts = ['name', 'expiresAt', 'error', 'errorCode'];
const optionalFlags = ['cancelled', 'retryable'];

/** Reads the saved renders that have not expired, newest first. In a browser without storage, there are none. */
export function readSavedRenders(now: number = Date.now()): readonly SavedRender[] {
  return parseSavedRenders(readStored(STORAGE_KEY)).filter((render) => !isExpired(render, now));
}

/** Saves renders. A browser without storage keeps them while the page is open. */
export function saveRenders(renders: readonly SavedRender[]): void {
  writeStored(STORAGE_KEY, JSON.stringify(renders.slice(0, MAX_RENDERS)));
}

/** Calls the listener when another window of this browser changes the saved renders. */
export function onSavedRendersChanged(listener: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY) listener();
  });
}

/** Whether a render and its file have expired. */
export function isExpired({ expiresAt }: Pick<SavedRender, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** Parses saved renders. Older or damaged text may contain anything. */
export function parseSavedRenders(text: string | null): readonly SavedRender[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '[]');
  } catch {
    // Unreadable text counts as empty.
    return [];
  }
  return Array.isArray(value) ? value.filter(isSavedRender).slice(0, MAX_RENDERS) : [];
}

function isSavedRender(value: unknown): value is SavedRender {
  if (!isRecord(value)) return false;
  const { progress, output, notes, parameters = {}, content = 0 } = value;
  return (
    requiredTexts.every((name) => typeof value[name] === 'string') &&
    optionalTexts.every((name) => value[name] === undefined || typeof value[name] === 'string') &&
    optionalFlags.every((name) => value[name] === undefined || typeof value[name] === 'boolean') &&
    (notes === undefined || (Array.isArray(notes) && notes.every((note) => typeof note === 'string'))) &&
    isRecord(parameters) &&
    Object.values(parameters).every((text) => typeof text === 'string') &&
    typeof progress === 'number' &&
    Number.isSafeInteger(content) &&
    (output === undefined || (isRecord(output) && typeof output.url === 'string' && typeof output.size === 'number'))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
