import type { LabPlatform } from '../lab-platform.ts';
import { tiktokCatalogue, tiktokHosts } from './hosts.ts';

/** The simulated p4. */
export const platform: LabPlatform = { id: 'p4', hosts: tiktokHosts, catalogue: tiktokCatalogue };
