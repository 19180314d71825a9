import { StartError } from '../contract/start-error.ts';

/** Thrown if settings cannot be used. The message names each of them, and what it may be. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}
