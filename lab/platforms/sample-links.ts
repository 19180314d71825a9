import { forms as dailymotion } from './dailymotion/link-forms.ts';
import { forms as facebook } from './facebook/link-forms.ts';
import { forms as instagram } from './instagram/link-forms.ts';
import type { LinkForms } from './link-forms.ts';
import { forms as pinterest } from './pinterest/link-forms.ts';
import { forms as tiktok } from './tiktok/link-forms.ts';
import { forms as youtube } from './youtube/link-forms.ts';

/** Every link format that a platform's site has used, with what the links name, by platform ID. */
export const forms: Readonly<Record<string, readonly LinkForms[]>> = {
  p1: youtube,
  p2: instagram,
  p3: facebook,
  p4: tiktok,
  p5: dailymotion,
  p6: pinterest,
};

/** The links of {@link forms}. */
export const links: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(forms).map(([id, some]) => [id, some.flatMap((form) => form.links)]),
);
