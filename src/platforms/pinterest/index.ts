import Type from 'typebox';
import { countryCodeParameter } from '../../contract/parameters.ts';
import type { Platform } from '../platform.ts';
import { createPinDetails } from './pin-details.ts';
import { pinIdPattern } from './pin-id.ts';
import type { PinterestSite } from './site.ts';

/** Pinterest: pin details. */
export function createPinterest(site: PinterestSite): Platform {
  return {
    id: 'p6',
    title: 'Pinterest',
    version: '3.0.0',
    endpoints: [
      {
        path: '/pin/details',
        summary: 'Media and metadata of a pin',
        parameters: Type.Object({
          pinId: Type.String({
            pattern: pinIdPattern,
            maxLength: 2000,
            examples: ['600000000000000105'],
            description:
              'Number of the pin, as in its address (31454897393552949), or a link to it, short ones included.',
          }),
          countryCode: Type.Optional(countryCodeParameter),
        }),
        credits: 1,
        contents: true,
        returns: ['additionalData'],
        extract: createPinDetails(site),
      },
    ],
  };
}
