/** A kind of device that the site serves; a video can be closed to one of them. */
export type Device = 'desktop' | 'mobile';

/** Everything about the requests that changes with Dailymotion. */
export interface Site {
  readonly userAgents: Readonly<Record<Device, string>>;
}

/** Plain browsers of 2026. No setting changes them: the site has served any browser so far. */
export const defaultSite: Site = {
  userAgents: {
    desktop:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    mobile:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  },
};
