import { parseUrl } from '../../contract/parse-url.ts';
import { setting } from '../../settings/setting.ts';

const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 100_000;

/** Control characters other than tabs and line ends. */
const control = /[^\P{Cc}\t\n\r]/u;

/** Terms of use: an address, or a text. */
export type Terms = { readonly url: string } | { readonly text: string };

/** Settings of `GET /about`, which states who operates the service. */
export const aboutSettings = {
  OPERATOR_NAME: setting({
    description: 'Name of the person or organisation that operates the service, for the page /about.',
    default: 'none, and the page reports that',
    fallback: () => undefined,
    read: textUpTo(MAX_NAME_LENGTH),
  }),
  OPERATOR_CONTACT: setting({
    description: 'E-mail address or URL where people reach the operator, for the page /about.',
    default: 'none, and the page reports that',
    fallback: () => undefined,
    read: contact,
  }),
  TERMS: setting({
    description:
      'Terms of use for the page /about: a URL, or the text itself. TERMS_FILE names a file with the text. Empty lines ' +
      'separate paragraphs, "- " begins a list item, and "# " begins a heading.',
    default: 'none, and the page reports that',
    fallback: () => undefined,
    read: terms,
  }),
  DATA_REMOVAL: setting({
    description:
      'How people can have their data removed, as a text in the form of TERMS, for the page /about. The page itself ' +
      'states what the service keeps and for how long.',
    default: 'a reference to OPERATOR_CONTACT',
    fallback: () => undefined,
    read: textUpTo(MAX_TEXT_LENGTH),
  }),
};

/** Reads an e-mail address or an HTTP or HTTPS address, and returns it as a URL. */
function contact(text: string): string {
  if (/^[\w.+-]{1,64}@(?:[\w-]+\.)+[\w-]+$/.test(text)) return `mailto:${text}`;
  try {
    return pageUrl(text);
  } catch {
    throw new Error('must be an e-mail address, or an HTTP or HTTPS address');
  }
}

function terms(text: string): Terms {
  return /^https?:\/\/\S+$/.test(text) ? { url: pageUrl(text) } : { text: textUpTo(MAX_TEXT_LENGTH)(text) };
}

/** Reads the address of a page. Credentials are refused, because everybody could read them. */
function pageUrl(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error('must be an HTTP or HTTPS address without credentials');
  return url.href;
}

function textUpTo(length: number): (text: string) => string {
  return (text) => {
    if (text.length > length) throw new Error(`must have at most ${length} characters`);
    if (control.test(text)) throw new Error('must contain no control characters');
    return text;
  };
}
