import { dig, type Fields, fields, list } from '../../../../parsing/values.ts';

/** Maximum number of entities, more than any response has. Bounds the work. */
const MAX_ENTITIES = 20_000;

/** The entities of a response beside its lists, by key. The new format has texts, counts and hearts there. */
export type Entities = ReadonlyMap<unknown, Fields>;

/** Reads `frameworkUpdates` (in use for comments since 2024-04). */
export function readEntities(response: unknown): Entities {
  const mutations = list(dig(response, 'frameworkUpdates', 'entityBatchUpdate', 'mutations'));
  return new Map(
    mutations.slice(0, MAX_ENTITIES).map((mutation) => [dig(mutation, 'entityKey'), fields(dig(mutation, 'payload'))]),
  );
}
