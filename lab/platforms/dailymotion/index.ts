import type { LabPlatform } from '../lab-platform.ts';
import { dailymotionCatalogue, dailymotionHosts } from './hosts.ts';

/** The simulated p5. */
export const platform: LabPlatform = { id: 'p5', hosts: dailymotionHosts, catalogue: dailymotionCatalogue };
