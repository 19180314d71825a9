import type { PlatformId } from '#client/index.ts';
import * as platforms from '../../../platforms/links.ts';

/** The names of the platforms, in the order of their IDs. */
export const platformNames = Object.fromEntries(
  Object.values(platforms)
    .map(({ id, name }) => [id, name] as const)
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
) as Readonly<Record<PlatformId, string>>; // The client library supports the same platforms.
