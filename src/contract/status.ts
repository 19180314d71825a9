import Type from 'typebox';

/** The states of a render job, in the order a job passes through them. */
export const jobStates = [
  'pending',
  'queued',
  'downloading_inputs',
  'processing',
  'uploading_output',
  'done',
  'failed',
] as const;

/** A state of a render job. */
export type JobState = (typeof jobStates)[number];

/** Where the finished file is. */
export const renderOutputSchema = Type.Object({
  url: Type.String({ description: 'Direct download link, valid until expires_at.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  sizeText: Type.String({ description: 'Readable size, two decimals with a unit.' }),
  key: Type.String({ description: 'Internal file reference; opaque.' }),
});

/** Where the finished file is. */
export type RenderOutput = Type.Static<typeof renderOutputSchema>;

/** The one event of the status streams. */
export interface RenderStatusEvent {
  job_id: string;
  status: JobState;
  /** Whole percent over all stages. */
  progress: number;
  output: RenderOutput | null;
  error: string | null;
  /** RFC 3339. */
  created_at: string;
  /** RFC 3339; when the job and its file are deleted. */
  expires_at: string;
}

/** What the streams say, once, of an id that no job has. The field is `id` here, not `job_id`. */
export interface NotFoundEvent {
  id: string;
  status: 'not_found';
  error: string;
}

/** Answer of every call that starts a job. */
export const renderStartSchema = Type.Object({
  jobId: Type.String(),
  status: Type.Enum(['queued', 'already_exists']),
  message: Type.String(),
  statusUrl: Type.String(),
  sseStatusUrl: Type.String(),
});

/** Answer of every call that starts a job. */
export type RenderStartResponse = Type.Static<typeof renderStartSchema>;

/** Answer of the cache call. */
export const cacheResponseSchema = Type.Object({
  cacheId: Type.String(),
  executionUrl: Type.String(),
  statusUrl: Type.String(),
  expiresAt: Type.String(),
});

/** Answer of the cache call. */
export type CacheResponse = Type.Static<typeof cacheResponseSchema>;

/** A byte count for people: two decimals and a decimal unit, as in `12.50 MB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(2)} ${units[unit]}`;
}
