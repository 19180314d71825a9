import type { LabPlatform } from '../lab-platform.ts';
import { drifts } from './drifts.ts';
import { tiktokCatalogue, tiktokHosts } from './hosts.ts';

/** The simulated p4. */
export const platform: LabPlatform = { id: 'p4', hosts: tiktokHosts, drifts, catalogue: tiktokCatalogue };
