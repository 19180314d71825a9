import { useEffect, useState } from 'preact/hooks';
import type { PlatformId } from '#client/index.ts';
import { html, type View } from './html.ts';
import { platformNames } from './names.ts';

/** What `/status` tells of a platform, as far as it is shown. */
export interface PlatformStatus {
  readonly id: string;
  readonly note?: string;
  readonly last15Minutes: { readonly requests: number; readonly failureRate: number };
}

/** How a platform answers. */
export type Health = 'idle' | 'fine' | 'shaky' | 'failing' | 'unknown';

const words: Readonly<Record<Health, string>> = {
  idle: 'not asked lately',
  fine: 'answers',
  shaky: 'fails at times',
  failing: 'fails often',
  unknown: 'not known',
};

const REFRESH_MS = 60_000;
const SHAKY_FROM = 0.05;
const FAILING_FROM = 0.3;

/** What the last minutes say of a platform. */
export function healthOf(status: PlatformStatus | undefined): Health {
  if (status === undefined) return 'unknown';
  const { requests, failureRate } = status.last15Minutes;
  if (status.note !== undefined || failureRate >= FAILING_FROM) return 'failing';
  if (requests === 0) return 'idle';
  return failureRate >= SHAKY_FROM ? 'shaky' : 'fine';
}

/** How each platform answers at the moment. */
export function HealthStrip(): View {
  const platforms = useStatus();
  return html`
    <section class="health" aria-labelledby="health-title">
      <h2 id="health-title">Platforms</h2>
      <ul>
        ${Object.entries(platformNames).map(([id, name]) => {
          const status = platforms.get(id);
          const health = healthOf(status);
          return html`<li key=${id} data-health=${health}>
            <span class="name">${name}</span> <span class="soft">${status?.note ?? words[health]}</span>
          </li>`;
        })}
      </ul>
    </section>
  `;
}

function useStatus(): ReadonlyMap<PlatformId | string, PlatformStatus> {
  const [platforms, setPlatforms] = useState<ReadonlyMap<string, PlatformStatus>>(new Map());
  useEffect(() => {
    const left = new AbortController();
    const refresh = () => {
      if (document.hidden) return;
      read(left.signal).then(setPlatforms, () => {
        if (!left.signal.aborted) setPlatforms(new Map());
      });
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      left.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, []);
  return platforms;
}

async function read(signal: AbortSignal): Promise<ReadonlyMap<string, PlatformStatus>> {
  const answer = await fetch('status', { signal });
  if (!answer.ok) throw new Error(`/status answered ${answer.status}`);
  const { platforms } = (await answer.json()) as { platforms: readonly PlatformStatus[] };
  return new Map(platforms.map((platform) => [platform.id, platform]));
}
