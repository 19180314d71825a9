import { pixels } from '../../../parsing/picture.ts';
import { count, defined, type Fields, fields, isFields, unlessEmpty } from '../../../parsing/values.ts';
import { httpSiteUrl, validSiteUrl } from '../../site-urls.ts';
import { member } from './member.ts';

/** A video in one of the site's forms. */
export interface VideoForm {
  /** The site's name, spelled as in the JSON interface: `V_720P`, `V_HLSV4`. */
  readonly key: string;
  readonly url: string;
  readonly kind: 'mp4' | 'm3u8';
  /** Pixels of the upload, which may differ from those of this form. */
  readonly sourceWidth?: number;
  readonly sourceHeight?: number;
  /** Seconds. */
  readonly duration?: number;
  readonly thumbnail?: string;
  readonly captions?: readonly { readonly language: string; readonly url: string }[];
}

const MAX_DEPTH = 6;
const MAX_FORMS = 40;
const MAX_CAPTIONS = 100;

/** Whole files by quality, before playlists. EXP7 is usually the same file as 720P. */
const order = ['V_720P', 'V_MP4', 'V_EXP7', 'V_EXP6', 'V_EXP5', 'V_EXP4', 'V_EXP3'];

/**
 * Returns every form of the video in a block or pin, whole files before playlists and each address once. Lists have had
 * many names (`video_list`, `videoListMobile`, `v_hlsv4_video_list`). Any member that has a form's name and the address
 * of a file or playlist is therefore read.
 */
export function videoForms(...nodes: readonly unknown[]): readonly VideoForm[] {
  const forms: VideoForm[] = [];
  for (const node of nodes) collect(node, 0, forms);
  const sorted = forms.toSorted((a, b) => rank(a) - rank(b));
  return [...Map.groupBy(sorted, ({ url }) => url).values()].flatMap(([first]) => first ?? []);
}

function collect(node: unknown, depth: number, forms: VideoForm[]): void {
  if (!isFields(node) || depth > MAX_DEPTH) return;
  for (const [name, value] of Object.entries(node)) {
    if (forms.length >= MAX_FORMS) return;
    if (!/^v/i.test(name) || !isFields(value)) continue;
    const form = videoForm(name, value);
    if (form === undefined) collect(value, depth + 1, forms);
    else forms.push(form);
  }
}

function videoForm(name: string, entry: Fields): VideoForm | undefined {
  const url = httpSiteUrl(entry.url);
  const kind = /\.(mp4|m3u8)$/i.exec(validSiteUrl(url ?? 'a:').pathname)?.[1]?.toLowerCase();
  if (url === undefined || (kind !== 'mp4' && kind !== 'm3u8')) return undefined;
  const milliseconds = count(entry.duration);
  return {
    key: restName(name),
    url,
    kind,
    ...defined({
      sourceWidth: pixels(entry.width),
      sourceHeight: pixels(entry.height),
      duration: milliseconds ? milliseconds / 1000 : undefined,
      thumbnail: httpSiteUrl(entry.thumbnail),
      captions: unlessEmpty(captions(member(entry, 'captions_urls'))),
    }),
  };
}

/** Converts a page's name (`vHLSV3MOBILE`) to that of the JSON interface (`V_HLSV3_MOBILE`). */
function restName(name: string): string {
  const rest = name
    .toUpperCase()
    .replace(/^V_?/, '')
    .replace(/^(HLSV\d)(MOBILE|WEB)$/, '$1_$2');
  return `V_${rest.replace(/[^A-Z0-9_]/g, '').slice(0, 40)}`;
}

/** Reads `{lang: url}`. */
function captions(value: unknown): { language: string; url: string }[] {
  return Object.entries(fields(value))
    .slice(0, MAX_CAPTIONS)
    .flatMap(([language, link]) => {
      const url = httpSiteUrl(isFields(link) ? link.url : link);
      return url === undefined ? [] : [{ language, url }];
    });
}

function rank({ kind, key }: VideoForm): number {
  if (kind === 'm3u8') return 200 - (key === 'V_HLSV4' ? 1 : 0);
  const place = order.indexOf(key);
  return place < 0 ? 100 : place;
}
