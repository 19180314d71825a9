import { useEffect } from 'preact/hooks';
import { useStore } from '../common/store.ts';
import { percentText } from '../language/format.ts';
import { isUnderWay, renders } from './renders.ts';

/**
 * Sets the title of the tab. While renders run, it begins with their common progress, so that a visitor in another tab
 * sees it.
 */
export function useTabTitle(title: string): void {
  const running = useStore(renders).filter(isUnderWay);
  const progress = running.reduce((sum, render) => sum + render.progress, 0) / Math.max(1, running.length);
  const prefix = running.length === 0 ? '' : `${percentText(progress / 100)} · `;
  useEffect(() => {
    document.title = prefix + title;
  }, [prefix, title]);
}
