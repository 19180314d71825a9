import type { Static, TObject } from 'typebox';
import type { Endpoint, Extraction, ExtractionContext } from './platform.ts';

/** Parameters that the service applies itself, for each caller: an extraction does not see them. */
type AppliedParameter = 'fields' | 'renderableFormats' | 'urlAccess' | 'nextToken';

/**
 * The parameters of an extraction, by the schema of its endpoint. They follow the rules of `EndpointParameters`: a
 * parameter whose value is its default is absent.
 */
export type ParametersOf<Schema extends TObject> = Readonly<Omit<Static<Schema>, AppliedParameter>>;

/** An endpoint whose `extract` takes what its schema says. */
interface TypedEndpoint<Schema extends TObject> extends Omit<Endpoint, 'parameters' | 'extract'> {
  readonly parameters: Schema;
  /** As in {@link Endpoint}. */
  extract(parameters: ParametersOf<Schema>, context: ExtractionContext): Promise<Extraction>;
}

/** Declares an endpoint: the parameters of `extract` have the types of the schema. */
export function defineEndpoint<Schema extends TObject>(endpoint: TypedEndpoint<Schema>): Endpoint {
  // The service checks parameters against this schema before it calls `extract`, so the types hold. The registry holds
  // endpoints of all schemas and forgets which one is whose.
  return endpoint as unknown as Endpoint;
}
