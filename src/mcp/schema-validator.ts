import process from 'node:process';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';

/**
 * The validator that the build gives the SDK instead of the one it contains, under the name that the SDK imports. The
 * SDK validates responses of users with it, which this server never requests.
 */
export class DefaultJsonSchemaValidator {
  getValidator(schema: TSchema) {
    return (value: unknown) =>
      Check(schema, value)
        ? { valid: true, data: value, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: 'the value does not match its schema' };
  }
}

/** The SDK imports it from the same module. */
export { process };
