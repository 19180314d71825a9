import { type RecognisedLink, recogniseLink } from '#client/recognise-link.ts';
import { UsageError } from '../errors/command-errors.ts';

/**
 * Recognises a link, or the most likely meaning of an ID.
 *
 * @throws UsageError if the text is neither, or a parameter is missing.
 */
export function parseLink(text: string): RecognisedLink {
  return checkedLink(recogniseLink(text), text);
}

/**
 * Returns a meaning of a text.
 *
 * @throws UsageError if the text has no meaning, or a parameter is missing.
 */
export function checkedLink(link: RecognisedLink | undefined, text: string): RecognisedLink {
  if (link === undefined) {
    throw new UsageError(
      `"${text}" is not a link or ID of a supported platform. Put links that contain "&" in quotes.`,
    );
  }
  if (link.missing !== undefined) {
    throw new UsageError(
      `This link leads to ${link.platform} ${link.endpoint}, but does not contain ${link.missing.join(', ')}, which is ` +
        'required. Use another link to the same content that contains it.',
    );
  }
  return link;
}
