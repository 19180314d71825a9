import type { CdnTools } from '../../cdn/tools.ts';
import type { Exchange } from '../../http/exchange.ts';
import { type AboutPage, aboutAnswer, aboutPages } from './answers/about.ts';
import { listAnswer, videosAnswer } from './answers/lists.ts';
import { profilePage, profileTab } from './answers/profile.ts';
import type { Answer } from './page.ts';
import { gone, type Reply, wall } from './reply.ts';
import { scriptsOf } from './scripts.ts';
import type { Person } from './world/people.ts';

/** A profile, or the tab of it that a path or `sk` names. */
export function profileReply(exchange: Exchange, { tokens }: CdnTools, person: Person, tab: string): Reply {
  const { host } = exchange;
  if (person.gone) return gone(exchange);
  const asked = person.open === 'once' ? tokens.touch(`facebook ${person.vanity} ${tab}`).requests : 1;
  const walled = person.open === 'never' || asked > 1 || (person.open === 'web' && host !== 'web.facebook.com');
  if (walled || (person.walledParts && tab === 'about_privacy_and_legal_info')) return wall;
  if (tab === '') return { page: profilePage(person, host) };
  return { page: profileTab(person, host, tabAnswers(person, tab), scriptsOf(person)) };
}

/** What a tab holds besides the head of the profile; nothing where guests are not shown it. */
function tabAnswers(person: Person, tab: string): Answer[] {
  const shown = (name: 'about' | 'photos' | 'reels' | 'videos') => !person.without?.includes(name);
  if (tab === 'photos' && shown('photos')) return [listAnswer(person, 'photos')];
  if ((tab === 'reels' || tab === 'reels_tab') && shown('reels')) return [listAnswer(person, 'reels')];
  if (tab === 'videos' && shown('videos')) return [videosAnswer(person)];
  const about = tab === 'about' ? 'about_contact_and_basic_info' : tab;
  return isAboutPage(about) && shown('about') ? [aboutAnswer(person, about)] : [];
}

function isAboutPage(name: string): name is AboutPage {
  return Object.hasOwn(aboutPages, name);
}
