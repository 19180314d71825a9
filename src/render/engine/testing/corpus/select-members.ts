import { type Member, members } from './members.ts';

/** Returns what a corpus file covers: its container, its clips, and its special properties. */
export function traitsOf({ name, source, streams }: Member): string[] {
  const what = name.slice(name.indexOf(': ') + 2);
  return [`in ${source}`, what, ...streams.map(({ clip }) => clip)];
}

/** Files whose copies were wrong once, or failed late. */
const onceWrong = new Set([
  ...['mpeg: h264', 'mpeg: H.264 without B-frames', 'vob: hevc', 'caf: flac', 'mp4: aac 7.1', 'mkv: mp3 mono at 8 kHz'],
  ...['mp4: vorbis at 11.025 kHz', 'ogg: vorbis at 11.025 kHz', 'mkv: vp9 at uneven times', 'mp4: subtitles'],
  ...['flv: opus of one packet', 'flv: flac of one packet', 'flv: flac at 192 kHz'],
]);

/**
 * Returns a part of the corpus that covers everything in the whole corpus at least once, and the files that were wrong
 * once. Each file goes into every container of results, so every pair of source and result containers is also included.
 */
export function selectMembers(): Member[] {
  const seenTraits = new Set<string>();
  return shuffle(members).filter((member) => {
    const newTraits = traitsOf(member).filter((trait) => !seenTraits.has(trait));
    for (const trait of newTraits) seenTraits.add(trait);
    return newTraits.length > 0 || onceWrong.has(member.name);
  });
}

/** Returns the same files in a fixed order that mixes the containers. */
function shuffle(all: readonly Member[]): Member[] {
  // A prime, and so coprime with any count that is not a multiple of it: each index is visited once.
  const step = 7919;
  return all.map((_, at) => all[(at * step) % all.length]).filter((member) => member !== undefined);
}
