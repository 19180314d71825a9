/** The members of a platform in `/status` that are displayed. */
export interface PlatformStatus {
  readonly id: string;
  readonly note?: string;
  readonly state: 'ok' | 'drifting' | 'failing';
  readonly last15Minutes: { readonly requests: number; readonly failureRate: number };
}

/** The health of a platform. */
export type Health = 'idle' | 'fine' | 'drifting' | 'shaky' | 'failing' | 'unknown';

/** The health of the whole service. */
export type ServiceHealth = 'operational' | 'degraded' | 'unknown';

const SHAKY_RATE = 0.05;
const FAILING_RATE = 0.3;

/** Judges the health of a platform by its last 15 minutes. */
export function healthOf(status: PlatformStatus | undefined): Health {
  if (status === undefined) return 'unknown';
  const { requests, failureRate } = status.last15Minutes;
  if (status.note !== undefined || failureRate >= FAILING_RATE) return 'failing';
  if (failureRate >= SHAKY_RATE) return 'shaky';
  if (status.state === 'drifting') return 'drifting';
  return requests === 0 ? 'idle' : 'fine';
}

/** Judges the health of the service by that of its platforms. */
export function serviceHealth(platforms: ReadonlyMap<string, PlatformStatus> | undefined): ServiceHealth {
  if (platforms === undefined) return 'unknown';
  const healthy = [...platforms.values()].every((status) => ['fine', 'idle'].includes(healthOf(status)));
  return healthy ? 'operational' : 'degraded';
}
