import type { Drift } from '../lab-platform.ts';

/** Changes of the site that can be turned on. */
export const drifts: Readonly<Record<string, Drift>> = {
  ids: {
    about: 'videos, posts and profiles have new names for their IDs',
    renames: ['id', 'post_id', 'video_id', 'userID', 'profile_id'],
  },
  files: {
    about: 'the files of a video have new names',
    renames: [
      'progressive_urls?',
      'dash_manifests?',
      'dash_manifest_xml_string',
      'manifest_xml',
      'browser_native_[hs]d_url',
      'playable_url\\w*',
      '[hs]d_src\\w*',
      'video_delivery_response',
      'videoDeliveryResponseFragment',
      'videoDeliveryLegacyFields',
      'all_video_dash_prefetch_representations',
    ],
  },
};
