import type { SettingTable, SettingValues } from '../settings/setting.ts';
import type { PlatformDefinition } from './define-platform.ts';
import type { Platform } from './platform.ts';
import * as registry from './registry.ts';

type Registered = (typeof registry)[keyof typeof registry]['settings'];

/** The type that has the members of all of some types. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;

/** The settings of all platforms, by name. */
type PlatformSettings = { readonly [Name in keyof All<Registered>]: All<Registered>[Name] };

/** The values of all platforms' settings, by name. */
type PlatformValues = SettingValues<PlatformSettings>;

const definitions = Object.values<PlatformDefinition<SettingTable>>(registry);

/** What the operator may set of platforms, in the order of the names. */
export const platformSettings = Object.fromEntries(
  definitions.flatMap(({ settings }) => Object.entries(settings)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
) as PlatformSettings; // The very tables that the type is made of.

/** The values where the operator sets nothing. */
export const defaultSettings = Object.fromEntries(
  Object.entries<SettingTable[string]>(platformSettings).map(([name, { fallback }]) => [name, fallback()]),
) as PlatformValues; // Each setting's own fallback.

/** Addresses by which `millrace doctor` tries whether platforms can be reached, by their ids in order. */
export const platformProbes: Readonly<Record<string, string>> = Object.fromEntries(
  definitions.map(({ links, probe }) => [links.id, probe] as const).toSorted(([a], [b]) => byId(a, b)),
);

/** Makes every platform of the service, in the order of their ids. */
export function createPlatforms(values: PlatformValues): readonly Platform[] {
  return definitions.map((platform) => platform.create(values)).toSorted((a, b) => byId(a.id, b.id));
}

function byId(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
