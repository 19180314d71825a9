import { imageOf, thumbnailUrl, videoUrl } from './addresses.ts';
import { rolesOf } from './people.ts';
import { countsOf } from './pin-details.ts';
import { type Pin, upload } from './pins.ts';
import type { Json } from './rest-items.ts';

/** Returns the machine-readable head of a pin's page: meta tags and links. */
export function headOf(pin: Pin): string {
  const { url, width, height } = imageOf(pin, pin.cover, '736x');
  const address = `https://www.pinterest.com/pin/${pin.id}/`;
  const tags: Readonly<Record<string, string>> = {
    'og:image': url,
    'og:image:height': `${height}`,
    'og:image:width': `${width}`,
    'og:type': 'pinterestapp:pin',
    'og:title': `${pin.title} | Lab & more`,
    'og:description': pin.description,
    'og:url': address,
    'og:updated_time': new Date(pin.createdAt).toISOString(),
    'pinterestapp:repins': `${countsOf(pin).repins}`,
  };
  const meta = Object.entries(tags).map(
    ([name, content]) => `<meta content="${escapeText(content)}" data-app="true" name="${name}" property="${name}"/>`,
  );
  return [
    ...meta,
    `<link href="${address}" rel="canonical"/>`,
    `<link href="https://www.pinterest.com/oembed.json?url=${address}&amp;ref=oembed-discovery" rel="alternate" type="application/json+oembed"/>`,
  ].join('');
}

/** Returns a page's structured data for search engines: the posting, and the video if there is one. */
export function snippetsOf(pin: Pin): string {
  const video = pin.items.find(({ kind }) => kind === 'video');
  const number = pin.form === 'video' ? 0 : video?.picture.number;
  const crumbs = { '@context': 'http://schema.org', '@type': 'BreadcrumbList', itemListElement: [] };
  return [
    snippet('breadcrumbs-list-metadata', crumbs),
    snippet('leaf-snippet', posting(pin)),
    ...(number === undefined ? [] : [snippet('video-snippet', videoObject(pin, number))]),
  ].join('');
}

function posting(pin: Pin): Json {
  const { pinner } = rolesOf(pin);
  return {
    '@type': 'SocialMediaPosting',
    author: {
      '@type': 'Person',
      name: pinner.name,
      alternateName: pinner.username,
      url: `https://www.pinterest.com/${pinner.username}`,
    },
    headline: pin.title,
    articleBody: pin.description,
    image: imageOf(pin, pin.cover, 'orig').url,
    datePublished: new Date(pin.createdAt).toISOString(),
    '@context': 'http://schema.org/',
  };
}

function videoObject(pin: Pin, number: number): Json {
  const maker = rolesOf(pin).nativeCreator ?? rolesOf(pin).pinner;
  return {
    '@type': 'VideoObject',
    '@context': 'http://schema.org/',
    '@id': `https://www.pinterest.com/pin/${pin.id}/`,
    name: pin.title,
    description: pin.description,
    commentCount: countsOf(pin).comments,
    thumbnailUrl: thumbnailUrl(pin, number),
    uploadDate: new Date(pin.createdAt).toISOString(),
    duration: `PT${pin.seconds}S`,
    width: `${upload.width} px`,
    height: `${upload.height} px`,
    contentUrl: videoUrl(pin, number, '720p'),
    creator: {
      '@type': 'Person',
      name: maker.name,
      alternateName: maker.username,
      url: `https://www.pinterest.com/${maker.username}/`,
    },
  };
}

function snippet(name: string, thing: Json): string {
  return `<script data-test-id="${name}" type="application/ld+json">${JSON.stringify(thing)}</script>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
