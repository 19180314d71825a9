/** What browsers, search engines and other apps show about the page. */
export const pageDescription = 'Paste a link from a media platform, choose a quality, and download the finished file.';

/** Colours of the band at the top of the page in both themes, as in `page/style/base.css`. */
export const themeColours = { light: '#062a33', dark: '#03191f' } as const;

/** Sizes of the square icons in pixels. All of them are drawn from the page's `icon.svg`. */
const iconSizes = [192, 512] as const;

/**
 * Writes the manifest with which browsers install the page as an app (https://www.w3.org/TR/appmanifest/). Its links
 * are relative to the page, so it works below any path. Links that are opened with the app or shared with it are only
 * looked up.
 *
 * @param assetUrl Returns the address of one of the page's files.
 */
export function writeManifest(assetUrl: (path: string) => string): string {
  const png = (name: string, size: number) => ({
    src: assetUrl(`icons/${name}-${size}.png`),
    sizes: `${size}x${size}`,
    type: 'image/png',
  });
  return JSON.stringify({
    name: 'Millrace',
    short_name: 'Millrace',
    description: pageDescription,
    start_url: './',
    scope: './',
    display: 'standalone',
    theme_color: themeColours.light,
    background_color: themeColours.light,
    icons: [
      { src: assetUrl('icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      ...iconSizes.map((size) => png('icon', size)),
      { ...png('maskable', 512), purpose: 'maskable' },
    ],
    share_target: {
      action: './',
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  });
}
