import { runInTurns, type Steps } from '../../waiting/steps.ts';
import { createSharedWork } from './links/shared-work.ts';
import { fixedLink, LinkRefused, type LinkState, memberState, type SourceLink } from './links/source-link.ts';
import { describeResource, type ResourceDescription } from './media-resources.ts';
import { type PlaylistChoice, type SelectedPlaylist, selectPlaylists } from './select-playlists.ts';
import { type Source, SourceChanged } from './source-request.ts';

/** The playlists of an input, and the sources of their members. */
export interface PlaylistLinks {
  readonly playlists: readonly SelectedPlaylist[];
  /**
   * Returns the source of a member: a segment, key or initialization section. When the link of the input is replaced,
   * the member continues at its URL in the new playlists.
   *
   * @param url - the member's address in `playlists`.
   */
  sourceFor(url: string, name: string): Source;
}

/** The playlists, and the link of the input that they were fetched through. */
interface FetchedPlaylists {
  readonly link: LinkState;
  readonly playlists: readonly SelectedPlaylist[];
}

/**
 * Fetches the playlists of an input.
 *
 * @throws MillraceError as in `select-playlists.ts`.
 */
export async function openPlaylists(source: Source, choice: PlaylistChoice = {}): Promise<PlaylistLinks> {
  const first = await fetchPlaylists(source, choice);
  const replacement = createSharedWork<void>();
  let { link } = first;
  let urls: ReadonlyMap<string, string> = new Map();
  /** The playlists whose URLs are used. */
  let current = first.playlists;

  /** Replaces the input's link, and fetches the playlists again. All members change to the new link at once. */
  async function replacePlaylists(error: LinkRefused, signal: AbortSignal): Promise<void> {
    await source.link.replace(link, error, signal);
    const fresh = await fetchPlaylists({ ...source, signal }, choice);
    signal.throwIfAborted();
    urls = await runInTurns(mapMembers(source, first.playlists, fresh.playlists), signal);
    link = fresh.link;
    if (current !== first.playlists) for (const { media } of current) source.playlists.release(media);
    current = fresh.playlists;
  }

  const memberLink = (url: string): SourceLink => ({
    get current() {
      return memberState(link, urls.get(url) ?? url);
    },
    async open() {
      return this.current;
    },
    async replace(used, error, signal) {
      if (used.version === link.version) await replacement.join((shared) => replacePlaylists(error, shared), signal);
    },
  });
  return {
    playlists: first.playlists,
    sourceFor: (url, name) => ({
      ...source,
      link: memberLink(url),
      rangeType: 'header',
      name: `${name} of ${source.name.toLowerCase()}`,
    }),
  };
}

/** Fetches all playlists through the same link of the input, which is replaced if one of them is refused. */
async function fetchPlaylists(source: Source, choice: PlaylistChoice): Promise<FetchedPlaylists> {
  for (;;) {
    const link = await source.link.open(source.signal);
    try {
      return { link, playlists: await selectPlaylists({ ...source, link: fixedLink(link) }, choice) };
    } catch (error) {
      if (!(error instanceof LinkRefused)) throw error;
      source.onFailure(source.name, error);
      await source.link.replace(link, error, source.signal);
      source.onFailure(source.name, undefined);
    }
  }
}

/**
 * Returns the new URL of each member by its former URL.
 *
 * @throws SourceChanged if the playlists do not list the same media.
 */
function* mapMembers(
  { name }: Source,
  former: readonly SelectedPlaylist[],
  fresh: readonly SelectedPlaylist[],
): Steps<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  const [members, freshMembers] = [membersOf(former), membersOf(fresh)];
  for (const member of members) {
    yield undefined;
    const freshMember = freshMembers.next().value;
    if (freshMember === undefined || !isSameMember(member, freshMember)) {
      throw new SourceChanged(`the new playlist of ${name.toLowerCase()} lists other segments`);
    }
    urls.set(member.url, freshMember.url);
    for (const [index, key] of member.keys.entries()) {
      const freshUrl = freshMember.keys[index]?.url;
      if (key.url !== undefined && freshUrl !== undefined) urls.set(key.url, freshUrl);
    }
  }
  if (freshMembers.next().done !== true) {
    throw new SourceChanged(`the new playlist of ${name.toLowerCase()} lists more segments`);
  }
  return urls;
}

/** A member of a playlist, with the number of its playlist and of the discontinuities before it. */
interface Member extends ResourceDescription {
  readonly playlist: number;
  readonly section: number;
}

/** Lists the segments of playlists, each after its initialization section. */
function* membersOf(playlists: readonly SelectedPlaylist[]): Generator<Member, undefined> {
  for (const [playlist, { media }] of playlists.entries()) {
    for (const segment of media.segments) {
      const { sequence, discontinuityIndex: section, map } = segment;
      if (map !== undefined) yield { ...map, sequence, duration: 0, playlist, section };
      yield { ...segment, playlist, section };
    }
  }
  return undefined;
}

function isSameMember(member: Member, other: Member): boolean {
  const textOf = (each: Member) => JSON.stringify([each.playlist, each.section, ...describeResource(each)]);
  return textOf(member) === textOf(other);
}
