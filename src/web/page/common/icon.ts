import { html, type View } from './html.ts';

/** Paths of the icons, in a box of 24 by 24, drawn as lines. */
const paths = {
  arrow: 'M5 12h14M13 6l6 6-6 6',
  audio: 'M9 18V5l11-2v13M9 18a3 3 0 1 1-3-3 3 3 0 0 1 3 3zM20 16a3 3 0 1 1-3-3 3 3 0 0 1 3 3z',
  check: 'M5 12.5l4.5 4.5L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5M12 8h.01',
  language: 'M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  options: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  paste: 'M9 5H6v15h12V5h-3M9 3h6v4H9z',
  pause: 'M8 5v14M16 5v14',
  phone: 'M8 3h8v18H8zM11 18h2',
  play: 'M7 4.5v15l12-7.5z',
  plus: 'M12 5v14M5 12h14',
  retry: 'M4 12a8 8 0 1 1 2.5 5.8M4 19v-4h4',
  scissors: 'M6 9a3 3 0 1 1 0-6 3 3 0 0 1 0 6zM6 21a3 3 0 1 1 0-6 3 3 0 0 1 0 6zM8.2 8l11.8 12M8.2 16L20 4',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4 4',
  share: 'M12 15V4M8 7l4-4 4 4M6 11H5v9h14v-9h-1',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  subtitles: 'M3 6h18v12H3zM7 14h6M16 14h1M7 11h2M12 11h5',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  video: 'M3 6h12v12H3zM15 10l6-3v10l-6-3',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** Draws an icon. It has no name for screen readers: the text beside it, or the label of its button, is the name. */
export function Icon({ name }: { name: IconName }): View {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
