import type { Static, TObject } from 'typebox';
import type { appliedParameters } from '../contract/render-parameters.ts';
import type { Subjects } from '../contract/subjects.ts';
import type { Endpoint, Extraction, ExtractionContext } from './platform.ts';

/** Parameters that the service applies for each caller. They are not passed to extractions. */
type AppliedParameter = (typeof appliedParameters)[number] | 'nextToken';

/**
 * The parameters of an extraction, derived from its endpoint's schema. They follow the rules of `EndpointParameters`: a
 * parameter with its default value is absent.
 */
export type ParametersOf<Schema extends TObject> = Readonly<Omit<Static<Schema>, AppliedParameter>>;

/** An endpoint whose functions take parameters of its schema's types. */
interface TypedEndpoint<Schema extends TObject>
  extends Omit<Endpoint, 'parameters' | 'subjects' | 'canonical' | 'extract'> {
  readonly parameters: Schema;
  /** Works as in {@link Endpoint}. */
  subjects(parameters: Partial<ParametersOf<Schema>>): Subjects;
  /** Works as in {@link Endpoint}. */
  canonical?(parameters: ParametersOf<Schema>): Partial<ParametersOf<Schema>>;
  /** Works as in {@link Endpoint}. */
  extract(parameters: ParametersOf<Schema>, context: ExtractionContext): Promise<Extraction>;
}

/** Declares an endpoint whose functions take parameters with the types of its schema. */
export function defineEndpoint<Schema extends TObject>(endpoint: TypedEndpoint<Schema>): Endpoint {
  // The service checks parameters against this schema before it calls its functions, so the types hold. The cast is needed
  // because the registry holds endpoints of all schemas.
  return endpoint as unknown as Endpoint;
}
