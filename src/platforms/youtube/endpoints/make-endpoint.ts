import type { Endpoint } from '../../platform.ts';
import type { OpenInnertube } from '../requests/innertube.ts';

/** An endpoint, told how YouTube is asked; one a file of `endpoints/`. */
export type MakeEndpoint = (openInnertube: OpenInnertube) => Endpoint;
