import type { Drift } from '../lab-platform.ts';

/** Changes of the site that can be turned on. */
export const drifts: Readonly<Record<string, Drift>> = {
  qualities: { about: 'the metadata of the player names its streams differently', renames: ['qualities'] },
};
