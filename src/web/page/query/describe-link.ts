import type { RecognisedLink } from '#client/index.ts';
import { contentKind } from '#client/link-text.ts';
import { platformNames } from '../common/platform-names.ts';
import { messages } from '../language/language.ts';

/** Describes the target of a link in the language of the page, such as "YouTube video". */
export function describeLink(link: RecognisedLink): string {
  return messages().content[contentKind(link)](platformNames[link.platform]);
}
