import type { Endpoint } from '../../platform.ts';
import type { OpenInnertube } from '../requests/innertube.ts';
import type { Site } from '../site.ts';

/** Creates an endpoint from the function that opens InnerTube clients, and the clients for media. Each file of `endpoints/` exports its own. */
export type EndpointFactory = (openInnertube: OpenInnertube, site: Pick<Site, 'mediaOrder'>) => Endpoint;
