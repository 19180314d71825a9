/** One setting of the service. Its key in a table of settings is also the name of its environment variable. */
export interface Setting<T> {
  /** What the setting does, for docs/reference/settings.md. */
  readonly description: string;
  /** The value that applies if it is not set, for docs/reference/settings.md: a valid text in backquotes, or words. */
  readonly default: string;
  /** The unit of a number, such as `bytes` or `seconds`. */
  readonly unit?: string;
  /** Returns the value that applies if it is not set. */
  readonly fallback: () => T;
  /**
   * Validates and reads its text.
   *
   * @throws Error whose message follows the name in a sentence: "must be a whole number from 0 to 65535".
   */
  readonly read: (text: string) => T;
}

/** A table of settings: those of one part of the service, or all of them. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table of settings, by name. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['fallback']>;
};

/** A setting whose default is a valid text. */
interface WithDefaultText<Value> extends Omit<Setting<Value>, 'fallback'> {
  readonly fallback?: never;
}

/** A setting whose default is computed, or cannot be expressed as text; `default` describes it in words. */
interface WithFallback<Value, Fallback> extends Omit<Setting<Value>, 'fallback'> {
  readonly fallback: () => Fallback;
}

/**
 * Declares a setting. Without `fallback`, `default` is read like a configured text, so that docs/reference/settings.md
 * and the service cannot differ.
 */
export function setting<Value>(declaration: WithDefaultText<Value>): Setting<Value>;
export function setting<Value, Fallback>(declaration: WithFallback<Value, Fallback>): Setting<Value | Fallback>;
export function setting<Value, Fallback>(
  declaration: WithDefaultText<Value> | WithFallback<Value, Fallback>,
): Setting<Value | Fallback> {
  if (declaration.fallback !== undefined) return declaration;
  const { default: text, read } = declaration;
  return { ...declaration, default: `\`${text}\``, fallback: () => read(text) };
}
