import type { LabPlatform } from '../lab-platform.ts';
import { youtubeCatalogue } from './catalogue.ts';
import { drifts } from './drifts.ts';
import { youtubeHosts } from './hosts.ts';

/** The simulated p1. */
export const platform: LabPlatform = { id: 'p1', hosts: youtubeHosts, drifts, catalogue: youtubeCatalogue };
