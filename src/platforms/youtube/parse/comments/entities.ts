import { dig, type Fields, fields, list } from '../../../../parsing/values.ts';

/** More than any response carries; it bounds our own work. */
const MAX_ENTITIES = 20_000;

/** What a response tells beside its lists, by key: the new generation keeps texts, counts and hearts there. */
export type Entities = ReadonlyMap<unknown, Fields>;

/** Reads `frameworkUpdates` (in use for comments since 2024-04). */
export function readEntities(response: unknown): Entities {
  const mutations = list(dig(response, 'frameworkUpdates', 'entityBatchUpdate', 'mutations'));
  return new Map(
    mutations.slice(0, MAX_ENTITIES).map((mutation) => [dig(mutation, 'entityKey'), fields(dig(mutation, 'payload'))]),
  );
}
