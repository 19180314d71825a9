import { useEffect } from 'preact/hooks';
import { createStore, useStore } from '../common/store.ts';
import type { PlatformStatus } from './health.ts';

const REFRESH_MS = 60_000;

/** The status of each platform by its ID; undefined until the service has reported it. */
const platformStatus = createStore<ReadonlyMap<string, PlatformStatus> | undefined>(undefined);

let watchers = 0;
let stop: (() => void) | undefined;

/** Returns the status of each platform, and updates it every minute while the page is visible. */
export function usePlatformStatus(): ReadonlyMap<string, PlatformStatus> | undefined {
  useEffect(() => {
    watchers += 1;
    stop ??= poll();
    return () => {
      watchers -= 1;
      if (watchers > 0) return;
      stop?.();
      stop = undefined;
    };
  }, []);
  return useStore(platformStatus);
}

/** Fetches the status every minute until the returned function is called. */
function poll(): () => void {
  const controller = new AbortController();
  const refresh = () => {
    if (document.hidden) return;
    fetchStatus(controller.signal).then(platformStatus.set, () => {
      if (!controller.signal.aborted) platformStatus.set(undefined);
    });
  };
  refresh();
  const timer = setInterval(refresh, REFRESH_MS);
  document.addEventListener('visibilitychange', refresh);
  return () => {
    controller.abort();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', refresh);
  };
}

async function fetchStatus(signal: AbortSignal): Promise<ReadonlyMap<string, PlatformStatus>> {
  const response = await fetch('status', { signal });
  if (!response.ok) throw new Error(`/status returned ${response.status}`);
  const { platforms } = (await response.json()) as { platforms: readonly PlatformStatus[] };
  return new Map(platforms.map((platform) => [platform.id, platform]));
}
