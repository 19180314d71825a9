import type { Drift } from '../lab-platform.ts';

/** Changes of the site that can be turned on. */
export const drifts: Readonly<Record<string, Drift>> = {
  scopes: {
    about: 'the parts of a page have new names',
    renames: ['webapp.video-detail', 'webapp.user-detail', 'webapp.reflow.video.detail', 'itemInfo', 'userInfo'],
  },
  files: {
    about: 'the files of a post have new names',
    renames: ['bitrateInfo', 'playAddr', 'PlayAddrStruct', 'imagePost'],
  },
};
