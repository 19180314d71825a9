import type { Endpoint, EndpointParameters, Extraction, ExtractionContext } from '../platform.ts';
import { findPin } from './find-pin.ts';
import { readShortLink } from './parse/answers.ts';
import { pinContents } from './parse/contents.ts';
import { pinMetadata } from './parse/details.ts';
import { pinReference } from './pin-id.ts';
import { requestShortLink } from './requests.ts';
import type { PinterestSite } from './site.ts';

/** Makes the endpoint that answers with the media and metadata of one pin. */
export function createPinDetails(site: PinterestSite): Endpoint['extract'] {
  return async (parameters: EndpointParameters, context: ExtractionContext): Promise<Extraction> => {
    const pinId = await pinIdOf(parameters.pinId, site, context);
    const { pin, step } = await findPin(pinId, site, context);
    const { country } = context.source;
    return {
      contents: pinContents(pin),
      metadata: pinMetadata(pin, pinId, step),
      ...(country === undefined ? {} : { country }),
    };
  };
}

async function pinIdOf(
  value: EndpointParameters[string],
  site: PinterestSite,
  { source }: ExtractionContext,
): Promise<string> {
  const reference = pinReference(typeof value === 'string' ? value : '');
  if ('id' in reference) return reference.id;
  return readShortLink(await requestShortLink(source, site, reference.shortCode));
}
