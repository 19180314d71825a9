import Type from 'typebox';
import { countryCodeParameter, generalFormats, renderableFormatsParameter } from '../../contract/parameters.ts';
import type { Platform } from '../platform.ts';
import { videoDetails } from './video-details.ts';
import { videoIdPattern } from './video-id.ts';

/** Dailymotion: video details. */
export const dailymotion: Platform = {
  id: 'p5',
  title: 'Dailymotion',
  version: '3.0.0',
  endpoints: [
    {
      path: '/video/details',
      summary: 'Media and metadata of a video',
      parameters: Type.Object({
        videoId: Type.String({
          pattern: videoIdPattern.source,
          description: 'Video id: x… as in the address of the video, or the k… of a private link.',
          examples: ['xlab30'],
        }),
        renderableFormats: Type.Optional(
          renderableFormatsParameter(
            Type.String({ pattern: `^(?:${generalFormats.join('|')}|(?:hls-)?[0-9]{2,4})$` }),
            'Qualities to prepare renders for: lowres, midres, highres, all, all_highres, or a number such as 240, 380, 480, 720, 1080 that stands in the label of a video (hls-720).',
          ),
        ),
        countryCode: Type.Optional(countryCodeParameter),
      }),
      credits: 1,
      contents: true,
      returns: ['additionalData'],
      renderables: {
        matches: (label, format) => label === format || label === `hls-${format}` || label === `http-${format}`,
        audio: true,
      },
      extract: videoDetails,
    },
  ],
};
