import type { Drift } from '../lab-platform.ts';

/** Changes of the site that can be turned on. */
export const drifts: Readonly<Record<string, Drift>> = {
  files: {
    about: 'the files of a post have new names',
    renames: [
      'video_versions',
      'image_versions2',
      'video_dash_manifest',
      'display_uri',
      'display_url',
      'video_url',
      'all_video_dash_prefetch_representations',
      'dash_manifest',
      'progressive_download_url',
    ],
  },
  counts: { about: 'the counts of a profile have new names', renames: ['follower_count', 'edge_followed_by'] },
};
