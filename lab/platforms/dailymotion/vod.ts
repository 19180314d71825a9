import { sendMedia } from '../../cdn/cdn.ts';
import { sendIndex, sendSegment } from '../../cdn/hls.ts';
import { segmentName } from '../../cdn/playlist.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Handler, sendText } from '../../http/exchange.ts';
import { parseRendition } from '../../media/titles.ts';
import { findByNumber, isAllowedIn } from './catalogue.ts';
import { issuedVideo } from './changes.ts';
import { vodSignature } from './manifest.ts';
import { variantBySuffix } from './variants.ts';

const filePath =
  /^\/sec2\((?<token>[\w-]+)(?:\.(?<issueId>\w+))?\)\/video\/\d{3}\/\d{3}\/(?<number>\d{1,21})_mp4_(?<suffix>h264_aac\w*?)_2(?:\.(?<ext>m3u8|mp4)|-(?<segment>seg-\d{5}\.ts))$/;

/** Handles the CDN of recorded videos: playlists, their segments, and whole MP4 files. */
export function vodHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const {
      token,
      issueId = '',
      number = '',
      suffix = '',
      ext,
      segment,
    } = filePath.exec(exchange.url.pathname)?.groups ?? {};
    const issue = tools.links.find(issueId);
    const found = number === '' ? undefined : findByNumber(number);
    const video = found && issuedVideo(found, issue);
    const variant = variantBySuffix(suffix);
    const rendition = variant === undefined ? undefined : parseRendition(variant.rendition);
    if (video === undefined || variant === undefined || rendition === undefined) return notFound(exchange);
    const signed = token === vodSignature(video, variant, ext === 'mp4' ? 'mp4' : 'm3u8');
    if (!signed || !isAllowedIn(video, exchange.country)) return sendText(exchange, 403, 'Forbidden.\n');
    const link = { platform: 'p5', item: video.id, issue: issueId, file: variant.name };
    const limited = tools.links.open(exchange, { ...link, form: ext === 'mp4' ? 'file' : 'hls' });
    if (segment !== undefined) return sendSegment(limited, tools, video.title, rendition, segment);
    if (ext === 'mp4') return sendMedia(limited, tools, video.title, `movie-${variant.rendition}.mp4`);
    const stem = `${number}_mp4_${suffix}_2`;
    return sendIndex(limited, tools, video.title, (index) => `${stem}-${segmentName(index)}`);
  };
}
