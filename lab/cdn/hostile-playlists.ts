import { type Content, generatedContent, textContent } from './content.ts';
import { FaultError } from './faults.ts';
import { masterPlaylist, mediaPlaylist, playlistType, variantQuery } from './playlist.ts';

interface HostilePlaylist {
  readonly about: string;
  /** Makes the playlist; throws {@link FaultError} when the link's query is invalid. */
  readonly content: (url: URL) => Content;
}

/** Existing segment, for playlists whose fault is elsewhere. */
const segmentUrl = '/hls/amber-2/180/seg-00001.ts';
const head = Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n');
const million = 1_000_000;
/** Number of segments in the playlists that have a change before each segment. */
const manyChanges = 90_000;
/** Number of segments of the longest playlists that are accepted. */
const mostSegments = 99_000;
/** Number of segments that are generated at a time. Their texts all have the same length. */
const chunkSegments = 1000;
/** Playlist positions in which the parameter `as` can put a target. */
const places = ['segment', 'key', 'init', 'variant', 'audio'] as const;

/** Malicious playlists, by name. */
export const hostilePlaylists: Readonly<Record<string, HostilePlaylist>> = {
  'endless.m3u8': {
    about: 'segments without end',
    content: () => longPlaylist('endless', Number.POSITIVE_INFINITY),
  },
  'million.m3u8': { about: 'a million segments', content: () => longPlaylist('million', million) },
  'maps.m3u8': {
    about: '90,000 segments, each after its own EXT-X-MAP',
    content: () => longPlaylist('maps', manyChanges, (index) => `#EXT-X-MAP:URI="i${index}"\n#EXTINF:2,\ns${index}\n`),
  },
  'keys.m3u8': {
    about: '90,000 segments, each after its own EXT-X-KEY',
    content: () =>
      longPlaylist(
        'keys',
        manyChanges,
        (index) => `#EXT-X-KEY:METHOD=AES-128,URI="k${index}"\n#EXTINF:2,\ns${index}\n`,
      ),
  },
  'discontinuities.m3u8': {
    about: '90,000 segments, each after an EXT-X-DISCONTINUITY',
    content: () =>
      longPlaylist('discontinuities', manyChanges, (index) => `#EXT-X-DISCONTINUITY\n#EXTINF:2,\ns${index}\n`),
  },
  'segments.m3u8': {
    about: '99,000 segments, which do not exist',
    content: () => longPlaylist('segments', mostSegments, (index) => `#EXTINF:2,\ns${index}\n`),
  },
  'byte-ranges.m3u8': {
    about: '99,000 byte ranges of a file that does not exist',
    content: () =>
      longPlaylist('byte-ranges', mostSegments, (index) => `#EXTINF:2,\n#EXT-X-BYTERANGE:188@1${index}00\nall.ts\n`),
  },
  'long-addresses.m3u8': {
    about: '40,000 segments with long addresses, which do not exist',
    content: () => longPlaylist('long-addresses', 40_000, (index) => `#EXTINF:2,\n${'x'.repeat(170)}${index}\n`),
  },
  'comments.m3u8': {
    about: '4,000,000 comments, and one segment, which does not exist',
    content: () => textContent(`#EXTM3U\n${'#\n'.repeat(4 * million)}#EXTINF:2,\ns\n#EXT-X-ENDLIST\n`, playlistType),
  },
  'nested.m3u8': {
    about: 'a master playlist that refers to itself',
    content: ({ searchParams }) => master(`nested.m3u8${variantQuery(searchParams)}`),
  },
  'chain.m3u8': {
    about: 'a master playlist that refers to another, and so on without end',
    content({ searchParams }) {
      const next = new URLSearchParams(variantQuery(searchParams));
      next.set('depth', `${1 + Number(searchParams.get('depth') ?? 0)}`);
      return master(`chain.m3u8?${next}`);
    },
  },
  'internal.m3u8': {
    about: '`target=` any http or https address, as a segment',
    content(url) {
      const target = targetOf(url);
      if (!/^https?:$/.test(URL.parse(target)?.protocol ?? '')) throw new FaultError('target must be an http address.');
      return naming(url, target);
    },
  },
  'scheme.m3u8': {
    about: '`target=` anything, such as file:, concat: or data:, as a segment',
    content: (url) => naming(url, targetOf(url)),
  },
};

function master(url: string): Content {
  return textContent(masterPlaylist([{ url, attributes: { BANDWIDTH: 1_000_000 } }]), playlistType);
}

/** Returns a playlist that contains the target in the position given by the link's `as`. */
function naming({ searchParams }: URL, target: string): Content {
  const place = places.find((each) => each === (searchParams.get('as') ?? 'segment'));
  const segment = { url: segmentUrl, seconds: 2 };
  switch (place) {
    case 'segment':
      return textContent(mediaPlaylist([{ ...segment, url: target }]), playlistType);
    case 'key':
      return textContent(mediaPlaylist([{ ...segment, key: { url: target } }]), playlistType);
    case 'init':
      return textContent(mediaPlaylist([{ ...segment, init: { url: target } }]), playlistType);
    case 'variant':
      return master(target);
    case 'audio': {
      const highVariant = {
        url: '/hls/amber-2/video-180/index.m3u8',
        attributes: { BANDWIDTH: 1_000_000, AUDIO: '"sound"' },
      };
      const sound = { TYPE: 'AUDIO', 'GROUP-ID': '"sound"', NAME: '"Tone"', DEFAULT: 'YES', URI: `"${target}"` };
      return textContent(masterPlaylist([highVariant], [sound]), playlistType);
    }
    case undefined:
      throw new FaultError(`as must be ${places.join(', ')}.`);
  }
}

function targetOf({ searchParams }: URL): string {
  const target = searchParams.get('target') ?? '';
  if (target === '' || /[\r\n]/.test(target)) throw new FaultError('target must be one line.');
  return target;
}

/**
 * Returns a playlist of `count` segments (a multiple of a thousand), each with its own address. `linesOf` makes the
 * lines of a segment from its number, which has seven digits.
 */
function longPlaylist(name: string, count: number, linesOf: (number: string) => string = segmentLines): Content {
  const lines = (index: number) => linesOf(`${index}`.padStart(7, '0'));
  const tail = Buffer.from('#EXT-X-ENDLIST\n');
  const size = head.length + count * lines(0).length + tail.length;
  return generatedContent(`playlist ${name}`, playlistType, size, function* () {
    yield head;
    for (let index = 0; index < count; index += chunkSegments) {
      yield Buffer.from(Array.from({ length: chunkSegments }, (_, place) => lines(index + place)).join(''));
    }
    yield tail;
  });
}

function segmentLines(number: string): string {
  return `#EXTINF:2.000,\n${segmentUrl}?n=${number}\n`;
}
