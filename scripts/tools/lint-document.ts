import { BaseResolver, createConfig, lintFromString } from '@redocly/openapi-core';

/** A rule that a document may break at one place. */
interface Exception {
  readonly rule: string;
  /** JSON pointer within the document. */
  readonly place: string;
}

/** Places where a rule does not apply. */
const exceptions: readonly Exception[] = [
  // A WebSocket has no response of 2xx: it begins with status 101.
  { rule: 'operation-2xx-response', place: '#/paths/~1api~1v1~1render~1status~1{jobId}/get/responses' },
];

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // Schemas are open: a response may have members that only some of the schemas that apply to it name.
    'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
  },
});

/** Refuses references to other documents, so that the linter reads no file and sends no request. */
class NoOtherDocuments extends BaseResolver {
  override loadExternalRef(reference: string): Promise<never> {
    return Promise.reject(new Error(`The document refers to another document: ${reference}.`));
  }
}

/**
 * Returns the faults of an OpenAPI document by the recommended rules of Redocly, errors and warnings alike: the place,
 * the rule and the message.
 */
export async function lintDocument(name: string, document: object): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: `${name}.json`,
    config,
    externalRefResolver: new NoOtherDocuments(),
  });
  const faults = problems.map(({ ruleId, message, location }) => ({
    rule: ruleId,
    place: location[0]?.pointer ?? '#',
    message,
  }));
  return faults
    .filter(({ rule, place }) => !exceptions.some((each) => each.rule === rule && each.place === place))
    .map(({ rule, place, message }) => `${name} ${place}: ${message} (${rule})`);
}
