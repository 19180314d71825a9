import type { LinkReaders } from '../../testing/link-readers.ts';
import { readLink } from '../endpoints/parameters.ts';

const post = '7608826249200356630';

/** Every link format that the site has used. */
export const links: readonly string[] = [
  `https://www.tiktok.com/@some.name/video/${post}`,
  `https://tiktok.com/@some.name/photo/${post}?lang=en`,
  `https://m.tiktok.com/@/video/${post}`,
  `https://www.tiktok.com/share/video/${post}/`,
  `https://www.tiktok.com/i18n/share/video/${post}`,
  `https://www.tiktok.com/embed/${post}`,
  `https://www.tiktok.com/embed/v2/${post}`,
  `https://www.tiktokv.com/share/video/${post}/`,
  `https://m.tiktok.com/v/${post}.html`,
  `https://www.tiktok.com/player/v1/${post}?autoplay=1`,
  `https://us.tiktok.com/@some.name/video/${post}`,
  `https://lite.tiktok.com/@some.name/video/${post}`,
  `https://www.tiktok.com/en/@some.name/video/${post}`,
  'https://www.tiktok.com/pt-BR/@name',
  'https://us.tiktok.com/@name',
  'https://lite.tiktok.com/t/ZSabc/',
  'https://vm.tiktok.com/ZMabc12/',
  'https://vt.tiktok.com/ZSabc/',
  'https://www.tiktok.com/t/ZTabc/',
  'https://www.tiktok.com/@name',
  'https://www.tiktok.com/@name/live',
];

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [(link) => readLink(link, 'post'), (link) => readLink(link, 'profile')];
