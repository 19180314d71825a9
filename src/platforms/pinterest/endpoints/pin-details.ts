import Type from 'typebox';
import { countryCodeParameter, generalFormats, renderableFormatsParameter } from '../../../contract/parameters.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import type { Endpoint, ExtractionContext } from '../../platform.ts';
import { findPin } from '../find-pin.ts';
import { readShortLink } from '../parse/api-response.ts';
import { pinMetadata, strategies } from '../parse/pin-metadata.ts';
import { sourceCaptionsOf } from '../parse/source-captions.ts';
import { requestShortLink } from '../requests.ts';
import type { Site } from '../site.ts';
import { canonicalPin, pinIdParameter, pinReference } from './parameters.ts';

/** Qualities that can be requested by name. They also match the label of a playlist, such as `hls-720`. */
const formats = ['240p', '360p', '480p', '720p', '1080p'] as const;

/** Creates the endpoint for the media and metadata of a pin. */
export function pinDetails(site: Site): Endpoint {
  return defineEndpoint({
    path: '/pin/details',
    summary: 'Media and metadata of a pin',
    parameters: Type.Object({
      pinId: pinIdParameter,
      renderableFormats: Type.Optional(
        renderableFormatsParameter(
          formats,
          `Qualities to prepare renders for: ${[...generalFormats, ...formats].join(', ')}.`,
        ),
      ),
      ...renderParameters,
      countryCode: Type.Optional(countryCodeParameter),
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    strategies,
    renderables: {
      matches: (label, format) => label === format || `${label}p` === `hls-${format}`,
      audio: false,
    },
    subjects: ({ pinId }) => ({
      items: namedIn(pinReference, pinId).flatMap((reference) => ('id' in reference ? reference.id : [])),
    }),
    canonical: ({ pinId }) => ({ pinId: canonicalPin(pinId) }),
    async extract(parameters, context) {
      const pinId = await pinIdOf(parameters.pinId, site, context);
      const { pin, strategy, contents, unread, notes } = await findPin(pinId, site, context);
      const { country } = context.source;
      return {
        contents: contents.map((content) => ({ ...content, subjects: noSubjects })),
        metadata: pinMetadata(pin, pinId, strategy),
        ...defined({ captions: unlessEmpty(sourceCaptionsOf(contents)) }),
        unread,
        ...(notes === undefined ? {} : { notes, incomplete: true }),
        ...(country === undefined ? {} : { country }),
      };
    },
  });
}

async function pinIdOf(value: string, site: Site, { source }: ExtractionContext): Promise<string> {
  const reference = pinReference(value);
  if ('id' in reference) return reference.id;
  return readShortLink(await requestShortLink(source, site, reference.shortCode));
}
