/** A device type that the site serves. A video can be unavailable on one of them. */
export type Device = 'desktop' | 'mobile';

/** Request details that change with Dailymotion. */
export interface Site {
  readonly userAgents: Readonly<Record<Device, string>>;
}

/** Ordinary browsers of 2026. No setting changes them, because the site has accepted any browser so far. */
export const defaultSite: Site = {
  userAgents: {
    desktop:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    mobile:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  },
};
