import type { LabPlatform } from '../lab-platform.ts';
import { drifts } from './drifts.ts';
import { pinterestCatalogue, pinterestHosts } from './hosts.ts';

/** The simulated p6. */
export const platform: LabPlatform = { id: 'p6', hosts: pinterestHosts, drifts, catalogue: pinterestCatalogue };
