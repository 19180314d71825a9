import { abouts } from '../abouts.ts';
import { siteFaults } from './faults.ts';
import { shortLinks } from './site.ts';
import { accountScenarios } from './world/accounts.ts';
import { scenarios } from './world/scenarios.ts';
import { soundScenarios } from './world/sounds.ts';

/** Returns the documented codes, names, numbers and words of p2 with their descriptions. */
export function instagramCatalogue(): Record<string, Record<string, string>> {
  return {
    posts: abouts(scenarios),
    accounts: abouts(accountScenarios),
    sounds: abouts(soundScenarios),
    shortLinks: abouts(shortLinks),
    words: abouts(siteFaults),
  };
}
