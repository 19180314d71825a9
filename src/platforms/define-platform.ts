import type { SettingTable, SettingValues } from '../settings/setting.ts';
import type { PlatformLinks } from './link-target.ts';
import type { Platform } from './platform.ts';

/** A platform as its folder declares it for the registry. */
export interface PlatformDefinition<Settings extends SettingTable> {
  /** Its id, name and links. */
  readonly links: PlatformLinks;
  /** An address of the site that is open to everybody: `millrace doctor` tries whether it can be reached. */
  readonly probe: string;
  /** What the operator may change, by the names of environment variables. */
  readonly settings: Settings;
  /** Makes the platform of one service. */
  create(values: SettingValues<Settings>): Platform;
}

/** Declares a platform. */
export function definePlatform<Settings extends SettingTable>(
  definition: PlatformDefinition<Settings>,
): PlatformDefinition<Settings> {
  return definition;
}
