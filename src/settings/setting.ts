/** One setting of the service. Its name is its key in a table of settings, and that of its environment variable. */
export interface Setting<T> {
  /** What it does, for docs/settings.md. */
  readonly description: string;
  /** What holds where it is not set, in words for docs/settings.md. */
  readonly default: string;
  /** The unit of its number, such as `bytes` or `seconds`. */
  readonly unit?: string;
  /** Returns its value where it is not set. */
  readonly fallback: () => T;
  /**
   * Checks and reads its text.
   *
   * @throws Error whose message goes on after the name: "must be a whole number from 0 to 65535".
   */
  readonly read: (text: string) => T;
}

/** A table of settings: those of one part of the service, or all of them. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table of settings, by name. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['fallback']> | ReturnType<Table[Name]['read']>;
};

/** Declares a setting. `Value` is what it is read as, and `Fallback` what it is where it is not set. */
export function setting<Value, Fallback = Value>(
  declared: Omit<Setting<Value>, 'fallback'> & { readonly fallback: () => Fallback },
): Setting<Value | Fallback> {
  return declared;
}
