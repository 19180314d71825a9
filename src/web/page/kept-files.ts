import type { JobState, PlatformId } from '#client/index.ts';

/** A render of this browser, as it is remembered. */
export interface KeptFile {
  /** The job's. */
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly kind: 'video' | 'audio';
  readonly platform: PlatformId;
  /** The page's address for what it was made of. */
  readonly source: string;
  readonly executionUrl: string;
  readonly sseStatusUrl: string;
  /** Size of what is fetched, where it is known. */
  readonly bytes?: number;
  /** `lost`: nobody knows how it stands. */
  readonly status: JobState | 'lost';
  readonly progress: number;
  readonly expiresAt?: string;
  readonly output?: { readonly url: string; readonly size: number };
  /** Notes: how the file differs from the platform's, in sentences. */
  readonly notes?: readonly string[];
  readonly error?: string;
  /** Whether the failure is that the visitor cancelled it. */
  readonly cancelled?: boolean;
  /** Whether starting a failed render again can succeed. */
  readonly retryable?: boolean;
}

const NAME = 'millrace.files';
const MOST_FILES = 30;
const needed = ['id', 'title', 'label', 'kind', 'platform', 'source', 'executionUrl', 'sseStatusUrl', 'status'];
const optional = ['expiresAt', 'error'];
const flags = ['cancelled', 'retryable'];

/** Reads the remembered files, the newest first, without those that have expired; none where nothing can be kept. */
export function readFiles(now: number = Date.now()): readonly KeptFile[] {
  return parse(remembered()).filter((file) => !isExpired(file, now));
}

/** Remembers files. A browser that keeps nothing shows them as long as the page is open. */
export function keepFiles(files: readonly KeptFile[]): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(files.slice(0, MOST_FILES)));
  } catch (error) {
    // Full, or forbidden by the visitor's settings (https://html.spec.whatwg.org/multipage/webstorage.html).
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Calls when another window of this browser has changed the remembered files. */
export function onFilesChanged(heard: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === NAME) heard();
  });
}

/** Whether a render and its file are gone. */
export function isExpired({ expiresAt }: Pick<KeptFile, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** What a text says of files; an older or a damaged one may say anything. */
export function parse(text: string | null): readonly KeptFile[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '[]');
  } catch {
    // What cannot be read is forgotten.
    return [];
  }
  return Array.isArray(value) ? value.filter(isKept).slice(0, MOST_FILES) : [];
}

function isKept(value: unknown): value is KeptFile {
  if (!isRecord(value)) return false;
  const { progress, output, notes } = value;
  return (
    needed.every((name) => typeof value[name] === 'string') &&
    optional.every((name) => value[name] === undefined || typeof value[name] === 'string') &&
    flags.every((name) => value[name] === undefined || typeof value[name] === 'boolean') &&
    (notes === undefined || (Array.isArray(notes) && notes.every((note) => typeof note === 'string'))) &&
    typeof progress === 'number' &&
    (output === undefined || (isRecord(output) && typeof output.url === 'string' && typeof output.size === 'number'))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function remembered(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}
