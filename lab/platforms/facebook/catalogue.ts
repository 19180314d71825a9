import { abouts } from '../abouts.ts';
import { siteFaults } from './faults.ts';
import { shortLinks } from './short-links.ts';
import { profiles } from './world/people.ts';
import { photos } from './world/photos.ts';
import { posts } from './world/posts.ts';
import { videos } from './world/videos.ts';

/** Returns the documented numbers, names and words of p3 with their descriptions. */
export function facebookCatalogue(): Record<string, Record<string, string>> {
  return {
    videos: abouts(videos),
    posts: abouts(posts),
    photos: abouts(photos),
    profiles: abouts(profiles),
    shortLinks: abouts(shortLinks),
    words: abouts(siteFaults),
  };
}
