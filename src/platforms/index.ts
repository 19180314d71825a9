import type { SettingTable, SettingValues } from '../settings/setting.ts';
import type { PlatformDefinition } from './define-platform.ts';
import type { Platform } from './platform.ts';
import type { Probe } from './probe.ts';
import * as registry from './registry.ts';

type Registered = (typeof registry)[keyof typeof registry]['settings'];

/** The intersection of all types in a union. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;

/** The settings of all platforms, by name. */
type PlatformSettings = { readonly [Name in keyof All<Registered>]: All<Registered>[Name] };

/** The values of all platforms' settings, by name. */
type PlatformValues = SettingValues<PlatformSettings>;

const definitions = Object.values<PlatformDefinition<SettingTable>>(registry);

/** The settings of all platforms, in the order of their names. */
export const platformSettings = Object.fromEntries(
  definitions.flatMap(({ settings }) => Object.entries(settings)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
) as PlatformSettings; // Safe: the type is derived from the same setting tables as the entries.

/** The default settings. */
export const defaultSettings = Object.fromEntries(
  Object.entries<SettingTable[string]>(platformSettings).map(([name, { fallback }]) => [name, fallback()]),
) as PlatformValues; // Safe: each value is the default of the setting with the same name.

/** Addresses that `millrace doctor` uses to test whether platforms are reachable, in the order of their IDs. */
export const publicAddresses: Readonly<Record<string, string>> = Object.fromEntries(
  definitions.map(({ links, publicAddress }) => [links.id, publicAddress] as const).toSorted(([a], [b]) => byId(a, b)),
);

/** The probes of every platform, in the order of their IDs. */
export const platformProbes: Readonly<Record<string, readonly Probe[]>> = Object.fromEntries(
  definitions.map(({ links, probes }) => [links.id, probes] as const).toSorted(([a], [b]) => byId(a, b)),
);

/** Creates every platform of the service, in the order of their IDs. */
export function createPlatforms(values: PlatformValues): readonly Platform[] {
  return definitions.map((platform) => platform.create(values)).toSorted((a, b) => byId(a.id, b.id));
}

function byId(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
