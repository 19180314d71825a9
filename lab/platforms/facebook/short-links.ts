interface ShortLink {
  readonly about: string;
  /** Target of the redirect. */
  readonly to?: string;
  /** Target at the web host, if it differs. */
  readonly web?: string;
  /** Number of the post on the returned page. */
  readonly names?: string;
}

/**
 * The documented short links by their codes (`https://fb.watch/<code>/`, `/share/v/<code>/`, …), with their targets.
 */
export const shortLinks: Readonly<Record<string, ShortLink>> = {
  labReel1: { about: 'a reel', to: '/reel/770000000000001?rdid=lab&share_url=x' },
  labWatch: { about: 'a watch page', to: '/watch/?v=770000000000001&mibextid=x' },
  labPost1: { about: 'a post', to: '/thelab/posts/pfbid0Lab880000000000002' },
  labPhoto: { about: 'a photo', to: '/photo/?fbid=660000000000001&set=a.5' },
  labPage1: { about: 'a profile', to: '/thelab?mibextid=x' },
  labNamed: { about: 'returns the post itself, which only its canonical link identifies', names: '880000000000001' },
  labWall1: {
    about: 'a sign-in page that names a reel as its next page',
    to: '/login/?next=https%3A%2F%2Fwww.facebook.com%2Freel%2F770000000000001',
  },
  labWall2: { about: 'a sign-in page without a next page', to: '/login/' },
  labWall3: { about: 'a sign-in page at www, a reel at web', to: '/login/', web: '/reel/770000000000001' },
  labGone1: { about: 'nothing: no redirect' },
  labAway1: { about: 'another site', to: 'https://away.lab.example/' },
};
