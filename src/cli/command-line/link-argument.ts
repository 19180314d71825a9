import { type RecognisedLink, recogniseLink } from '#client/recognise-link.ts';
import { UsageError } from '../errors/command-errors.ts';

/**
 * Recognises a link or an id.
 *
 * @throws UsageError if the text is neither, or a parameter is missing.
 */
export function parseLink(text: string): RecognisedLink {
  const link = recogniseLink(text);
  if (link === undefined) {
    throw new UsageError(
      `"${text}" is no link or id of a platform that Millrace knows. Links with "&" stand in quotes.`,
    );
  }
  if (link.missing !== undefined) {
    throw new UsageError(
      `This link leads to ${link.platform} ${link.endpoint}, but does not tell ${link.missing.join(', ')}, which is ` +
        'needed. Is there another link to the same, with it?',
    );
  }
  return link;
}
