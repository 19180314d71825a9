import path from 'node:path';
import type { MediaCache } from '../media/cache.ts';
import { type Container, containers, hlsSegments } from '../media/recipes.ts';
import type { Title, Track } from '../media/titles.ts';
import { bytesContent, type Content, contentBytes, fileContent, joinedContent } from './content.ts';
import { encryptSegment, segmentKey } from './encryption.ts';
import { withoutParameterSets } from './parameter-sets.ts';
import { segmentLengths, segmentName } from './playlist.ts';
import { turnedInit } from './turned-init.ts';

/** Name of an initialization segment that makes players rotate the video. */
export const turnedInitName = 'init-turned.mp4';

/** Files of a track in one container, in order. */
export interface TrackFiles {
  /** Initialization segment, if the container has one. */
  readonly init?: Content;
  readonly segments: readonly Content[];
}

/** Returns all files of a track, generating them if necessary. */
export async function trackFiles(
  cache: MediaCache,
  title: Title,
  track: Track,
  container: Container,
): Promise<TrackFiles> {
  const { extension, type, seconds, ...rest } = containers[container];
  const folder = await cache.path(hlsSegments(title, track, container));
  const open = (name: string) => fileContent(path.join(folder, name), type);
  const names = segmentLengths(title.seconds, seconds).map((_, index) => segmentName(index + 1, extension));
  const segments = await Promise.all(names.map(open));
  return 'init' in rest ? { init: await open(rest.init), segments } : { segments };
}

const filePath =
  /^(?:aes-(?:(?<derived>derived)-)?(?<key>[1-9]\d{0,3})\/|(?<folder>short|bare)\/)?seg-(?<number>\d{5})\.(?<extension>ts|m4s)$|^key-(?<onlyKey>[1-9]\d{0,3})\.bin$|^(?<name>(?:short\/)?init\.mp4|init-turned\.mp4|all\.(?:ts|mp4))$/;

/**
 * Returns a file that the playlists of a track refer to: `seg-00001.ts`, `seg-00001.m4s`, `init.mp4`,
 * `init-turned.mp4`, `all.ts` and `all.mp4` (everything in one), `key-1.bin`, and `aes-1/seg-00001.ts` or
 * `aes-derived-1/seg-00001.ts` (encrypted with key 1). `short/seg-00001.ts`, `short/seg-00001.m4s` and
 * `short/init.mp4` belong to short segments. `bare/seg-00001.ts` has no parameter sets.
 */
export async function trackFile(
  cache: MediaCache,
  title: Title,
  track: Track,
  name: string,
): Promise<Content | undefined> {
  const groups = filePath.exec(name)?.groups;
  if (groups === undefined) return undefined;
  const { derived, key, number, extension, onlyKey, folder } = groups;
  if (onlyKey !== undefined) return bytesContent(segmentKey(title, Number(onlyKey)), 'application/octet-stream');
  const isShort = folder === 'short' || name.startsWith('short/');
  const isTransportStream = extension === 'ts' || name === containers.ts.whole;
  const container = isTransportStream ? (isShort ? 'short' : 'ts') : isShort ? 'fmp4-short' : 'fmp4';
  const place = Number(number);
  // Nothing is generated for a segment that does not exist.
  if (
    number !== undefined &&
    (place < 1 || place > segmentLengths(title.seconds, containers[container].seconds).length)
  ) {
    return undefined;
  }
  const { init, segments } = await trackFiles(cache, title, track, container);
  if (groups.name?.endsWith(containers.fmp4.init)) return init;
  if (name === turnedInitName && init !== undefined) {
    return bytesContent(turnedInit(await contentBytes(init)), containers.fmp4.type);
  }
  const segment = segments[place - 1];
  if (segment === undefined) {
    return joinedContent(init === undefined ? segments : [init, ...segments], containers[container].type);
  }
  if (folder === 'bare') return bytesContent(withoutParameterSets(await contentBytes(segment)), segment.type);
  if (key === undefined) return segment;
  const iv = derived === undefined ? 'explicit' : 'derived';
  return encryptSegment(segment, { title, number: place, keyNumber: Number(key), iv });
}
