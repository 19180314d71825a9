/** Maximum number of characters of a name that count. No site has longer ones, and normalizing marks is quadratic. */
const MAX_LENGTH = 200;

/**
 * Creates a platform's `channelName`. A name that begins with an at sign is always a handle.
 *
 * @param channelId Pattern of the IDs of channels.
 * @param ignored Characters that the site ignores in handles.
 */
export function channelNames(channelId: RegExp, ignored = ''): (text: string) => string {
  return (name) => {
    const text = name.slice(0, MAX_LENGTH);
    if (channelId.test(text)) return text;
    const handle = text.startsWith('@') ? text.slice(1) : text;
    return `@${[...handle.normalize('NFC').toLowerCase()].filter((character) => !ignored.includes(character)).join('')}`;
  };
}
