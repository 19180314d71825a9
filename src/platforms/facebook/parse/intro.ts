import { defined, dig, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { cleanLink } from './clean-link.ts';
import type { Records } from './records.ts';

/** An entry of a profile's introduction without a dedicated member. */
interface IntroEntry {
  readonly type: string;
  readonly text: string;
  readonly url?: string;
}

const MAX_ENTRIES = 200;

/** Reads the introduction that a profile's page displays to guests: category, location and contact details. */
export function readIntro(records: Records) {
  const bio = records.having('profile_status_text').map((copy) => text(dig(copy, 'profile_status_text', 'text')));
  const entries = records
    .having('timeline_context_list_item_type')
    .slice(0, MAX_ENTRIES)
    .flatMap((item): IntroEntry[] => {
      const type = text(item.timeline_context_list_item_type)?.replace('INTRO_CARD_', '');
      const title = dig(item, 'renderer', 'context_item', 'title');
      const words = text(dig(title, 'text')) ?? text(dig(item, 'renderer', 'wa_number'));
      if (type === undefined || words === undefined) return [];
      const url = list(dig(title, 'ranges'))
        .map((range) => cleanLink(dig(range, 'entity', 'url')))
        .find(Boolean);
      return [{ type: type.toLowerCase(), text: words, ...(url === undefined ? {} : { url }) }];
    });
  const first = (type: string) => entries.find((entry) => entry.type === type)?.text;
  const websites = entries.filter(({ type }) => type === 'website').map((entry) => entry.url ?? entry.text);
  return defined({
    description: bio.find((words) => words !== undefined),
    // "Page · Government organisation": the first word is the profile's type.
    category: first('influencer_category')?.replace(/^[^·]{1,30} · /, ''),
    email: first('profile_email'),
    phone: first('profile_phone'),
    address: first('address'),
    websites: unlessEmpty([...new Set(websites)]),
    intro: unlessEmpty(entries),
  });
}
