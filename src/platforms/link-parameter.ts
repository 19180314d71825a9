import { MillraceError } from '../contract/errors.ts';
import { linksIn } from './link-target.ts';

/** A parameter that is an ID, or contains a link with text around it. */
export interface LinkParameter<Value> {
  readonly name: string;
  /** The site's name, for messages. */
  readonly site: string;
  /** Returns the value of a text without a link, or undefined for any other text. */
  readonly ofText: (text: string) => Value | undefined;
  /** Returns whether a link is the site's. */
  readonly isOfSite: (url: URL) => boolean;
  /** Returns the value in a link of the site, or undefined if it leads elsewhere. */
  readonly ofLink: (url: URL) => Value | undefined;
  /** For messages: "a video ID, such as x8abc12, or a link to a video". */
  readonly expected: string;
  /** What a link must do, for messages: "lead to a video". A further sentence may follow. */
  readonly purpose: string;
  /** The code for a text that is neither a value nor contains a link; default `invalid_params`. */
  readonly codeWithoutLink?: 'invalid_params' | 'invalid_url';
}

/**
 * Reads a parameter. In a text with several links, the first one with a value counts.
 *
 * @throws MillraceError `invalid_params` (or `codeWithoutLink`) for a text that is neither a value nor contains a link,
 * `invalid_url` for a link of the site that leads elsewhere, `invalid_platform_url` for a link of another site.
 */
export function readLinkParameter<Value>(parameter: string, options: LinkParameter<Value>): Value {
  const { name, site, isOfSite, ofText, ofLink, expected, purpose, codeWithoutLink = 'invalid_params' } = options;
  const text = parameter.trim();
  const plain = ofText(text);
  if (plain !== undefined) return plain;
  const links = linksIn(text);
  const ofSite = links.filter(isOfSite);
  for (const link of ofSite) {
    const value = ofLink(link);
    if (value !== undefined) return value;
  }
  const fault = (code: LinkFault, message: string) => new MillraceError(code, message, { parameter: name });
  if (ofSite.length > 0) throw fault('invalid_url', `The link in ${name} does not ${purpose}.`);
  // `linksIn` leaves out links that imitate a site, such as those with a password.
  if (links.length > 0 || /https?:\/\/./i.test(text)) {
    throw fault('invalid_platform_url', `The link in ${name} leads to another platform. Send a link to ${site}.`);
  }
  throw fault(codeWithoutLink, `${name} must be ${expected}.`);
}

type LinkFault = 'invalid_params' | 'invalid_url' | 'invalid_platform_url';
