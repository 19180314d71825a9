/** Texts that a reader of links may take for the same link, and may also refuse. */
export const decorations: readonly ((link: string) => string)[] = [
  // In a text.
  (link) => link,
  (link) => `${link}.`,
  (link) => `(${link})`,
  (link) => `${link},`,
  (link) => `${link};x`,
  (link) => `${link}\u200b`,
  (link) => `${link}!?`,
  (link) => `${link}*`,
  (link) => `_${link}_`,
  (link) => `[a text](${link})`,
  (link) => `<a href="${link}">`,
  (link) => `See ${link}, and write to me`,
  (link) => `${link}\nhttps://other.example/a`,
  (link) => `https://other.example/a ${link}`,
  // A handle can have letters of any script.
  (link) => (/@\w+$/.test(link) ? link : `${link}見て`),
  (link) => `${link} 🎬`,
  (link) => `x${link}`,
  (link) => '/'.repeat(120).replaceAll('/', 'a ') + link,
  // In other spellings of the scheme and the host.
  (link) => link.replace(/^https?/, 'HTTPS'),
  (link) => link.replace(/^https?/, 'http'),
  (link) => link.replace(/^https?:\/\//, ''),
  (link) => link.replace(/^https?:/, ''),
  (link) => link.replace('://', ':'),
  (link) => link.replace(/^https?:\/\/[^/?#]+/, (start) => start.toUpperCase()),
  (link) => inHost(link, (host) => `${host}.`),
  (link) => inHost(link, (host) => `${host}..`),
  (link) => inHost(link, (host) => `${host}:443`),
  (link) => inHost(link, (host) => `${host}:8443`),
  (link) => inHost(link, (host) => `user:password@${host}`),
  (link) => inHost(link, (host) => `@${host}`),
  (link) => inHost(link, (host) => host.replaceAll('.', '。')),
  (link) => inHost(link, (host) => host.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  (link) => inHost(link, (host) => host.replace(/[a-z]/g, wide)),
  (link) => inHost(link, (host) => host.replace('.', '\u00ad.')),
  // With additions that sites and browsers ignore.
  (link) => addQuery(link, 'utm_source=a'),
  (link) => addQuery(link, 'igsh=a&si=a&fbclid=a&_r=1&is_from_webapp=1&mibextid=a'),
  (link) => link.replace('?', '?utm_source=a&'),
  (link) => link.replace('?', '??'),
  (link) => link.replaceAll('&', '&&'),
  (link) => link.replaceAll('&', '&amp;'),
  (link) => `${link}#a`,
  (link) => `${link}#:~:text=a`,
  (link) => `${link}#/a?b=https://other.example/`,
  (link) => inPath(link, (path) => `${path}/`),
  (link) => inPath(link, (path) => `${path}//`),
  (link) => inPath(link, (path) => path.replaceAll('/', '//')),
  (link) => inPath(link, (path) => `/a/..${path}`),
  (link) => inPath(link, (path) => `/.${path}`),
  // In other encodings.
  (link) => inPath(link, (path) => path.replace(/[a-z]/gi, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  (link) => inPath(link, (path) => path.replaceAll('/', '%2F')),
  (link) => link.replace(/\w(?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
  (link) => link.replace('tt', 't\tt'),
  (link) => link.replace(/\/(?=[^/]*$)/, '/\n'),
];

/** Returns texts that become the given link once a decoder or a browser has read them. */
export function encoded(link: string): readonly string[] {
  return [encodeURIComponent(link), encodeURI(encodeURIComponent(link)), link.replaceAll('/', '\\')];
}

/** Returns links that only look like the given link, or that contain it. */
export function disguised(link: string): readonly string[] {
  const { host, pathname, search } = new URL(link);
  return [
    `https://other.example/${link}`,
    `https://other.example/?u=${encodeURIComponent(link)}`,
    `https://${host}@other.example${pathname}${search}`,
    `https://${host}.other.example${pathname}${search}`,
    `https://other${host.split('.').slice(-2).join('.')}${pathname}${search}`,
  ];
}

function inHost(link: string, change: (host: string) => string): string {
  return link.replace(/(?<=:\/\/)[^/?#]+/, change);
}

/** Changes the path of a link, not its query. */
function inPath(link: string, change: (path: string) => string): string {
  return link.replace(/(?<=:\/\/[^/?#]+)\/[^?#]*/, change);
}

function addQuery(link: string, members: string): string {
  const [start = '', ...fragment] = link.split('#');
  return [`${start}${start.includes('?') ? '&' : '?'}${members}`, ...fragment].join('#');
}

/** Returns the full-width form of a letter, which IDNA maps to the letter (UTS 46). */
function wide(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
}
