import type { LabPlatform } from '../lab-platform.ts';
import { youtubeCatalogue } from './catalogue.ts';
import { youtubeHosts } from './hosts.ts';

/** The simulated p1. */
export const platform: LabPlatform = { id: 'p1', hosts: youtubeHosts, catalogue: youtubeCatalogue };
