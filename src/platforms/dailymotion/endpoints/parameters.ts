import Type from 'typebox';
import { readLinkParameter } from '../../link-parameter.ts';
import { isPlatformHost, isVideoId, recognise } from '../links.ts';

/** The `videoId` parameter. */
export const videoIdParameter = Type.String({
  maxLength: 2000,
  examples: ['xlab30'],
  description:
    "Video ID, or a link to the video. The ID is the x… part of the video's URL, or the k… key of a private link.",
});

/** Returns the video ID from the ID, or from a link with text around it. Throws the errors of {@link readLinkParameter}. */
export function videoIdOf(value: string): string {
  return readLinkParameter(value, {
    name: 'videoId',
    site: 'Dailymotion',
    ofText: (text) => (isVideoId(text) ? text : undefined),
    isOfSite: ({ hostname }) => isPlatformHost(hostname),
    ofLink: (url) => recognise(url.href) ?? undefined,
    expected: 'a video ID, such as x8abc12, or a link to a video',
    purpose: 'lead to a video',
  });
}
