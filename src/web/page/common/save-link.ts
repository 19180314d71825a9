/**
 * Makes the browser save the file behind a link.
 *
 * @param name File name; by default, the service names the file.
 */
export function saveLink(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
