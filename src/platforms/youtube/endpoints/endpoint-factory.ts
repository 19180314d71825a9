import type { Endpoint } from '../../platform.ts';
import type { OpenInnertube } from '../requests/innertube.ts';

/** Makes an endpoint from the function that opens InnerTube clients; one per file of `endpoints/`. */
export type EndpointFactory = (openInnertube: OpenInnertube) => Endpoint;
