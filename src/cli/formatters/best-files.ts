import { codecsText } from '#client/codec-text.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { sizeText } from '../../contract/size-text.ts';
import { selectVideo } from '../quality/select-video.ts';
import { bytesOf } from '../quality/video-properties.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';

/** Returns one line with the best video and the best audio of a content item; empty if it has neither. */
export function bestFilesLine(content: ExtractedContent): string {
  const { videos = [], audios = [] } = content;
  const video = videos.length === 0 ? undefined : selectVideo(content, [{ order: 'best', conditions: [] }], 'best');
  const [audio] = audios.toSorted((a, b) => dubRankOf(a) - dubRankOf(b) || bitrateOf(b) - bitrateOf(a));
  const facts = [
    ...(video === undefined ? [] : [`Best video: ${describe(video, bytesOf(video, content))}`]),
    ...(audio === undefined ? [] : [`Best audio: ${describe(audio, audio.metadata.content_length)}`]),
  ];
  return sanitiseLine(facts.join(' · '));
}

function describe({ label, metadata }: MediaItem, bytes: number | undefined): string {
  const codec = codecsText(metadata);
  const isNamed = codec === '' || label.toLowerCase().includes(codec.toLowerCase());
  return [label, ...(isNamed ? [] : [codec]), ...(bytes === undefined ? [] : [`(${sizeText(bytes)})`])].join(' ');
}

/** Ranks the original audio before dubs, audio descriptions and compressed dynamics. */
function dubRankOf({ metadata }: MediaItem): number {
  return (
    Number(metadata.is_original !== true) + Number(metadata.is_drc === true) + Number(metadata.is_descriptive === true)
  );
}

function bitrateOf({ metadata: { bitrate } }: MediaItem): number {
  return typeof bitrate === 'number' ? bitrate : 0;
}
