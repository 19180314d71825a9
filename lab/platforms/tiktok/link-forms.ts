import type { LinkForms } from '../link-forms.ts';

const post = '7608826249200356630';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: [`item/${post}`],
    links: [
      `https://m.tiktok.com/@/video/${post}`,
      `https://www.tiktok.com/share/video/${post}/`,
      `https://www.tiktok.com/i18n/share/video/${post}`,
      `https://www.tiktok.com/embed/${post}`,
      `https://www.tiktok.com/embed/v2/${post}`,
      `https://www.tiktokv.com/share/video/${post}/`,
      `https://m.tiktok.com/v/${post}.html`,
      `https://www.tiktok.com/player/v1/${post}?autoplay=1`,
    ],
  },
  {
    names: [`item/${post}`, 'channel/@some.name'],
    links: [
      `https://www.tiktok.com/@some.name/video/${post}`,
      `https://tiktok.com/@some.name/photo/${post}?lang=en`,
      `https://us.tiktok.com/@Some.Name/video/${post}`,
      `https://lite.tiktok.com/@some.name/video/${post}`,
      `https://www.tiktok.com/en/@some.name/video/${post}`,
    ],
  },
  {
    names: ['channel/@name'],
    links: [
      'https://www.tiktok.com/pt-BR/@name',
      'https://us.tiktok.com/@name',
      'https://www.tiktok.com/@Name',
      'https://www.tiktok.com/@name/live',
    ],
  },
  {
    names: [],
    links: [
      'https://lite.tiktok.com/t/ZSabc/',
      'https://vm.tiktok.com/ZMabc12/',
      'https://vt.tiktok.com/ZSabc/',
      'https://www.tiktok.com/t/ZTabc/',
    ],
  },
];
