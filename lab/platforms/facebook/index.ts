import type { LabPlatform } from '../lab-platform.ts';
import { facebookCatalogue } from './catalogue.ts';
import { drifts } from './drifts.ts';
import { facebookHosts } from './hosts.ts';

/** The simulated p3. */
export const platform: LabPlatform = { id: 'p3', hosts: facebookHosts, drifts, catalogue: facebookCatalogue };
