import type { CdnTools } from '../cdn/tools.ts';
import type { Host } from '../http/hosts.ts';

/** Change of a site: members of its responses that have another name from one day to the next. */
export interface Drift {
  readonly about: string;
  /** Names of the members, as regular expressions. The new name of each ends in `Next`. */
  readonly renames: readonly string[];
}

/** Simulated platform: the export `platform` of its folder's `index.ts`. */
export interface LabPlatform {
  /** Neutral ID, such as `p1`. */
  readonly id: string;
  /** Returns every host of the platform. */
  hosts(tools: CdnTools): readonly Host[];
  /** Changes of the site that can be turned on, by name. */
  readonly drifts: Readonly<Record<string, Drift>>;
  /** Returns the documented IDs, words and names with their descriptions: one table, or several by name. */
  catalogue(): Readonly<Record<string, unknown>>;
}
