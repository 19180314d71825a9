/** The part of an OpenAPI document that the page changes. */
export interface ReferenceDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly anyOf?: readonly object[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<Record<string, Response>>;
}

interface Response {
  readonly content?: Readonly<Record<string, Body>>;
}

interface Body {
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Parameter {
  readonly required: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, object>>;
}

/**
 * Returns the document that the page shows.
 *
 * - The guides follow the introduction, before the document's own sections.
 * - Optional parameters are off in *Try it* and in code samples. Scalar would otherwise send all examples at once.
 * - The examples of events are the text of their stream. Scalar does not show other examples of streams.
 * - The examples of results have no error. Scalar would otherwise show all members of an error.
 */
export function shownDocument<Api extends ReferenceDocument>(api: Api, guides: string): Api {
  const [introduction = '', ...sections] = api.info.description.split(/^(?=# )/m);
  const description = [introduction, guides, ...sections].map((part) => part.trim()).join('\n\n');
  const paths = mapValues(api.paths, (operations) => mapValues(operations, shownOperation));
  const schemas = mapValues(api.components.schemas, withoutErrorInExamples);
  return { ...api, info: { ...api.info, description }, paths, components: { ...api.components, schemas } };
}

function withoutErrorInExamples(schema: Schema): Schema {
  const { error } = schema.properties ?? {};
  if (error?.anyOf === undefined) return schema;
  return { ...schema, properties: { ...schema.properties, error: { ...error, examples: [null] } } };
}

function shownOperation(operation: Operation): Operation {
  const { responses } = operation;
  const own = withOptionalParametersOff(operation);
  return responses === undefined ? own : { ...own, responses: mapValues(responses, withStreamsAsText) };
}

function withStreamsAsText(response: Response): Response {
  const stream = response.content?.['text/event-stream'];
  if (stream?.examples === undefined) return response;
  const examples = mapValues(stream.examples, (example) => ({
    ...example,
    value: `data: ${JSON.stringify(example.value)}\n\n`,
  }));
  return { ...response, content: { ...response.content, 'text/event-stream': { ...stream, examples } } };
}

function withOptionalParametersOff(operation: Operation): Operation {
  const { parameters } = operation;
  return parameters === undefined ? operation : { ...operation, parameters: parameters.map(turnedOffIfOptional) };
}

function turnedOffIfOptional(parameter: Parameter): Parameter {
  const { example, ...rest } = parameter;
  if (parameter.required || example === undefined) return parameter;
  return { ...rest, examples: { Example: { value: example, 'x-disabled': true } } };
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
