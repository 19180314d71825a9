import { isWebAddress } from './web-address.ts';

/**
 * Makes the browser save the file behind a link.
 *
 * @param name File name; by default, the service names the file.
 * @throws TypeError for an address of another kind, such as a script.
 */
export function saveLink(url: string, name = ''): void {
  // Files that the page makes have a blob: address.
  if (!isWebAddress(url) && !url.startsWith('blob:'))
    throw new TypeError('The address of the file is not a web address.');
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
