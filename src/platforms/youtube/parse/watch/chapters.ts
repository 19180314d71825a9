import type { Picture } from '../../../../parsing/picture.ts';
import { count, defined, dig, type Fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';

/** A chapter of a video. */
export interface Chapter {
  readonly title: string;
  /** Milliseconds from the beginning. */
  readonly startMs: number;
  /** `description` if the video's author wrote it, `auto` if the site detected it. */
  readonly kind: 'description' | 'auto';
  readonly thumbnails?: readonly Picture[];
}

/** One section of the most-replayed curve. */
interface HeatPoint {
  readonly startMs: number;
  readonly durationMs: number;
  /** From 0 to 1, where 1 is the video's most watched section. */
  readonly intensity: number;
}

const MAX_CHAPTERS = 1_000;
const MAX_POINTS = 1_000;

/**
 * Reads the chapters of a watch page. Author chapters take precedence over detected ones. Within each kind, those of
 * the player's bar take precedence over those of the panel, which contains "key moments".
 */
export function readChapters(watch: Fields): readonly Chapter[] {
  const sources = [readBarChapters, readPanelChapters];
  for (const kind of ['description', 'auto'] as const) {
    for (const source of sources) {
      const chapters = source(watch, kind);
      if (chapters.length > 0) return chapters;
    }
  }
  return [];
}

function readBarChapters({ playerOverlays }: Fields, kind: Chapter['kind']): readonly Chapter[] {
  const bar = dig(playerOverlays, 'playerOverlayRenderer', 'decoratedPlayerBarRenderer', 'decoratedPlayerBarRenderer');
  const map = list(dig(bar, 'playerBar', 'multiMarkersPlayerBarRenderer', 'markersMap'));
  const entry = map.find((one) => dig(one, 'key') === `${kind.toUpperCase()}_CHAPTERS`);
  return list(dig(entry, 'value', 'chapters'))
    .slice(0, MAX_CHAPTERS)
    .flatMap((one) => {
      const chapter = dig(one, 'chapterRenderer');
      return readChapter(chapter, count(dig(chapter, 'timeRangeStartMillis')), kind);
    });
}

function readPanelChapters({ engagementPanels }: Fields, kind: Chapter['kind']): readonly Chapter[] {
  const panel = list(engagementPanels)
    .map((one) => dig(one, 'engagementPanelSectionListRenderer'))
    .find((one) => dig(one, 'panelIdentifier') === `engagement-panel-macro-markers-${kind}-chapters`);
  return list(dig(panel, 'content', 'macroMarkersListRenderer', 'contents'))
    .slice(0, MAX_CHAPTERS)
    .flatMap((one) => {
      const item = dig(one, 'macroMarkersListItemRenderer');
      const seconds = count(dig(item, 'onTap', 'watchEndpoint', 'startTimeSeconds'));
      return readChapter(item, seconds === undefined ? undefined : seconds * 1_000, kind);
    });
}

function readChapter(node: unknown, startMs: number | undefined, kind: Chapter['kind']): Chapter[] {
  const title = readText(dig(node, 'title'));
  if (title === undefined || startMs === undefined) return [];
  return [{ title, startMs, kind, ...defined({ thumbnails: unlessEmpty(readThumbnails(dig(node, 'thumbnail'))) }) }];
}

/** Returns the most-replayed curve, which is empty for a video without one. */
export function readHeatmap({ frameworkUpdates }: Fields): readonly HeatPoint[] {
  const markers = list(dig(frameworkUpdates, 'entityBatchUpdate', 'mutations'))
    .map((mutation) => dig(mutation, 'payload', 'macroMarkersListEntity', 'markersList'))
    .find((markersList) => dig(markersList, 'markerType') === 'MARKER_TYPE_HEATMAP');
  return list(dig(markers, 'markers'))
    .slice(0, MAX_POINTS)
    .flatMap((marker) => {
      const startMs = count(dig(marker, 'startMillis'));
      const durationMs = count(dig(marker, 'durationMillis'));
      const intensity = dig(marker, 'intensityScoreNormalized');
      if (startMs === undefined || durationMs === undefined || typeof intensity !== 'number') return [];
      return [{ startMs, durationMs, intensity }];
    });
}
