import type { Endpoint } from '../../platform.ts';
import type { OpenInnertube } from '../requests/innertube.ts';

/** Creates an endpoint from the function that opens InnerTube clients. Each file of `endpoints/` exports its own. */
export type EndpointFactory = (openInnertube: OpenInnertube) => Endpoint;
