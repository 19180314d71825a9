import type { Flood } from './flood.ts';

/** What a client without a key can know of a service: its links are credentials, which people share. */
export interface Targets {
  /** Assets of the page and of the API reference. */
  readonly assets: readonly string[];
  readonly file: string;
  readonly receipt: string;
  readonly relay: string;
  readonly relayedPlaylist: string;
  readonly execution: string;
  /** ID of a job that is running. */
  readonly job: string;
}

/** A kind of abuse: its name, one request of it, and how often and how it is sent. */
export type Kind = readonly [name: string, request: (targets: Targets) => string, flood: Flood];
