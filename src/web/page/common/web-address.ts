/** Whether a text is an address that leads to the web, absolute or relative: no script, data or file. */
export function isWebAddress(text: string): boolean {
  const { protocol } = URL.parse(text, location.href) ?? {};
  return protocol === 'https:' || protocol === 'http:';
}
