import { type JobState, type NotFoundEvent, type RenderStatusEvent, sizeText } from '../contract/status.ts';

/** What the database says of a job that is listened to. */
export interface StatusRow {
  readonly id: string;
  readonly state: JobState;
  readonly progress: number;
  readonly error: string | null;
  readonly file_key: string | null;
  readonly file_name: string | null;
  readonly file_size: number | null;
  readonly file_link: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** A finished file, as its job's row names it. */
export interface FinishedFile {
  readonly key: string;
  readonly link: string;
  readonly name: string;
  readonly expiresAt: Date;
}

/** Makes the public address of a file. */
export type LinkMaker = (file: FinishedFile) => Promise<string>;

/** An event as JSON text, and whether it is the last one. */
export interface StatusText {
  readonly text: string;
  readonly final: boolean;
}

/** The event about an id that no job has. */
export function notFound(id: string): StatusText {
  const error = 'No job has this id: it was never started, or has expired.';
  const event: NotFoundEvent = { id, status: 'not_found', error };
  return { text: JSON.stringify(event), final: true };
}

/** The event about a job; without a row, that there is none. */
export async function describe(id: string, row: StatusRow | undefined, linkTo: LinkMaker): Promise<StatusText> {
  if (row === undefined) return notFound(id);
  const event: RenderStatusEvent = {
    job_id: row.id,
    status: row.state,
    progress: row.progress,
    output: await outputOf(row, linkTo),
    error: row.error,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
  return { text: JSON.stringify(event), final: row.state === 'done' || row.state === 'failed' };
}

async function outputOf(row: StatusRow, linkTo: LinkMaker): Promise<RenderStatusEvent['output']> {
  const { state, file_key: key, file_name: name, file_size: size, file_link: link, expires_at: expiresAt } = row;
  if (state !== 'done' || key === null || name === null || size === null || link === null) return null;
  return { url: await linkTo({ key, link, name, expiresAt }), size, sizeText: sizeText(size), key };
}
