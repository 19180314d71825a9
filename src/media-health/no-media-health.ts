import type { MediaHealth } from './media-health.ts';

/** Media health that knows of no fetch. */
export const noMediaHealth: MediaHealth = {
  report: () => undefined,
  order: (_place, _itemKey, profiles) => profiles,
  isAvoided: () => false,
  used: () => undefined,
  refusedAt: () => undefined,
  refusalsOf: () => undefined,
  states: () => [],
};
