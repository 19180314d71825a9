import { useEffect, useState } from 'preact/hooks';
import type { PlatformId } from '#client/index.ts';
import { html, type View } from './html.ts';
import { platformNames } from './platform-names.ts';

/** The members of a platform in `/status` that are displayed. */
interface PlatformStatus {
  readonly id: string;
  readonly note?: string;
  readonly state: 'ok' | 'drifting' | 'failing';
  readonly last15Minutes: { readonly requests: number; readonly failureRate: number };
}

/** The health of a platform. */
export type Health = 'idle' | 'fine' | 'drifting' | 'shaky' | 'failing' | 'unknown';

const healthTexts: Readonly<Record<Health, string>> = {
  idle: 'No recent requests',
  fine: 'Operational',
  drifting: 'Some results are incomplete',
  shaky: 'Intermittent errors',
  failing: 'Frequent errors',
  unknown: 'No data yet',
};

const REFRESH_MS = 60_000;
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

/** Shows the current health of each platform. */
export function PlatformHealth(): View {
  const platforms = useStatus();
  return html`
    <section class="health" aria-labelledby="health-title">
      <h2 id="health-title">Platforms</h2>
      <ul>
        ${Object.entries(platformNames).map(([id, name]) => {
          const status = platforms.get(id);
          const health = healthOf(status);
          return html`<li key=${id} data-health=${health}>
            <span class="name">${name}</span> <span class="soft">${status?.note ?? healthTexts[health]}</span>
          </li>`;
        })}
      </ul>
    </section>
  `;
}

function useStatus(): ReadonlyMap<PlatformId | string, PlatformStatus> {
  const [platforms, setPlatforms] = useState<ReadonlyMap<string, PlatformStatus>>(new Map());
  useEffect(() => {
    const controller = new AbortController();
    const refresh = () => {
      if (document.hidden) return;
      fetchStatus(controller.signal).then(setPlatforms, () => {
        if (!controller.signal.aborted) setPlatforms(new Map());
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
  }, []);
  return platforms;
}

async function fetchStatus(signal: AbortSignal): Promise<ReadonlyMap<string, PlatformStatus>> {
  const response = await fetch('status', { signal });
  if (!response.ok) throw new Error(`/status returned ${response.status}`);
  const { platforms } = (await response.json()) as { platforms: readonly PlatformStatus[] };
  return new Map(platforms.map((platform) => [platform.id, platform]));
}
