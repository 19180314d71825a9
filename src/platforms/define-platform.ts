import type { SettingTable, SettingValues } from '../settings/setting.ts';
import type { PlatformLinks } from './link-target.ts';
import type { Platform } from './platform.ts';
import type { Probe } from './probe.ts';

/** A platform as its folder declares it for the registry. */
export interface PlatformDefinition<Settings extends SettingTable> {
  /** The ID, name and link readers. */
  readonly links: PlatformLinks;
  /** A public address of the site, which `millrace doctor` uses to test whether the site is reachable. */
  readonly publicAddress: string;
  /** Requests that tell whether each endpoint still reads the site, for `millrace probe`. */
  readonly probes: readonly Probe[];
  /** The settings that operators can change, by environment variable. */
  readonly settings: Settings;
  /** Creates the platform for one service. */
  create(values: SettingValues<Settings>): Platform;
}

/** Declares a platform. */
export function definePlatform<Settings extends SettingTable>(
  definition: PlatformDefinition<Settings>,
): PlatformDefinition<Settings> {
  return definition;
}
