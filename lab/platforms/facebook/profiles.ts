import type { CdnTools } from '../../cdn/tools.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { QueryResult } from './page.ts';
import { missingPage, type Reply, wall } from './reply.ts';
import { type AboutPage, aboutPages, aboutResponse } from './responses/about.ts';
import { changedResult } from './responses/changed.ts';
import { listResponse, videosResponses } from './responses/lists.ts';
import { headPage, profilePage, profileTab } from './responses/profile.ts';
import { scriptsOf } from './scripts.ts';
import type { Person } from './world/people.ts';

/** Returns the page of a profile, or of the tab that the path or the parameter `sk` names. */
export function profileReply(exchange: Exchange, { tokens }: CdnTools, person: Person, tab: string): Reply {
  const { host } = exchange;
  if (person.deleted) return missingPage(exchange);
  const visits = person.open === 'once' ? tokens.touch(`facebook ${person.vanity} ${tab}`).requests : 1;
  const isWalled = person.open === 'never' || visits > 1 || (person.open === 'web' && host !== 'web.facebook.com');
  const isReels = tab === 'reels' || tab === 'reels_tab';
  if (isWalled || (person.walledParts && tab === 'about_privacy_and_legal_info')) return wall;
  if (person.walledReels && isReels) return wall;
  if (person.headOnly) return { page: headPage(person, host) };
  if (tab === '') return { page: profilePage(person, host) };
  const results = tabResults(person, tab);
  const changed = person.unknown === 'all' ? results.map(changedResult) : results;
  return { page: profileTab(person, host, changed, scriptsOf(person)) };
}

/** Returns the content of a tab besides the profile's header; empty if guests cannot see it. */
function tabResults(person: Person, tab: string): QueryResult[] {
  const hasList = (name: 'about' | 'photos' | 'reels' | 'videos') => !person.without?.includes(name);
  if (tab === 'photos' && hasList('photos')) return [listResponse(person, 'photos')];
  if ((tab === 'reels' || tab === 'reels_tab') && hasList('reels')) return [listResponse(person, 'reels')];
  if (tab === 'videos' && hasList('videos')) return videosResponses(person);
  const about = tab === 'about' ? 'about_contact_and_basic_info' : tab;
  return isAboutPage(about) && hasList('about') ? [aboutResponse(person, about)] : [];
}

function isAboutPage(name: string): name is AboutPage {
  return Object.hasOwn(aboutPages, name);
}
