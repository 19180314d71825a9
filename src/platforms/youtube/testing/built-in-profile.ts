import { type ClientProfile, resolveProfiles } from '../client-profiles.ts';

/** Returns a built-in client profile by name. */
export function builtInProfile(name: string): ClientProfile {
  const profile = resolveProfiles().get(name);
  if (profile === undefined) throw new Error(`there is no client profile ${name}`);
  return profile;
}
