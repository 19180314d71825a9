/** Returns the first sentence of a message. Hosts contain dots, but no spaces after them. */
export function firstSentence(message: string): string {
  const end = message.indexOf('. ');
  return end < 0 ? message : message.slice(0, end + 1);
}
