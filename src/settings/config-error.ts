import { StartError } from '../contract/start-error.ts';

/** Thrown if settings are invalid. The message names each of them and its valid values. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}
