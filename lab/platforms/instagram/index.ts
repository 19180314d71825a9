import type { LabPlatform } from '../lab-platform.ts';
import { instagramCatalogue } from './catalogue.ts';
import { drifts } from './drifts.ts';
import { instagramHosts } from './hosts.ts';

/** The simulated p2. */
export const platform: LabPlatform = { id: 'p2', hosts: instagramHosts, drifts, catalogue: instagramCatalogue };
