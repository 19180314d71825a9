import type { LabPlatform } from '../lab-platform.ts';
import { drifts } from './drifts.ts';
import { dailymotionCatalogue, dailymotionHosts } from './hosts.ts';

/** The simulated p5. */
export const platform: LabPlatform = { id: 'p5', hosts: dailymotionHosts, drifts, catalogue: dailymotionCatalogue };
