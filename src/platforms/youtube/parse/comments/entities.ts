import { dig, type Fields, fields, list } from '../../../../parsing/values.ts';

/** More than any answer carries; it bounds our own work. */
const MAX_ENTITIES = 20_000;

/** What an answer tells beside its lists, by key: the new generation keeps texts, counts and hearts there. */
export type Entities = ReadonlyMap<unknown, Fields>;

/** Reads `frameworkUpdates` (in use for comments since 2024-04). */
export function readEntities(answer: unknown): Entities {
  const mutations = list(dig(answer, 'frameworkUpdates', 'entityBatchUpdate', 'mutations'));
  return new Map(
    mutations.slice(0, MAX_ENTITIES).map((mutation) => [dig(mutation, 'entityKey'), fields(dig(mutation, 'payload'))]),
  );
}
