import type { Drift } from '../lab-platform.ts';

/** Changes of the site that can be turned on. */
export const drifts: Readonly<Record<string, Drift>> = {
  pins: { about: 'pins have new names for their IDs', renames: ['id', 'entityId', 'node_id'] },
  files: {
    about: 'the images and videos of a pin have new names',
    renames: ['images', 'image\\w+', 'videos', 'story_pin_data', 'storyPinData', 'carousel_data', 'carouselData'],
  },
};
