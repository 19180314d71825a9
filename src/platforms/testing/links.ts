const code = 'DdG4RIxIPyf';
const number = '1380134307388381';
const pfbid = 'pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg';
const post = '7608826249200356630';
const pin = '31454897393552949';
const facebook = 'https://www.facebook.com';

/** Every form of link that a platform's site has used. */
export const links: Readonly<Record<string, readonly string[]>> = {
  p1: [
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?t=3',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/live/dQw4w9WgXcQ',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/v/dQw4w9WgXcQ',
    'https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf',
    'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
    'https://www.youtube.com/@name',
    'https://www.youtube.com/c/name',
    'https://www.youtube.com/user/name',
    'https://www.youtube.com/post/UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR',
    'https://www.youtube.com/hashtag/lab',
  ],
  p2: [
    ...['p', 'reel', 'reels', 'tv', 'name/p', 'name/reel', 'na.me/reels'].map(
      (place) => `https://www.instagram.com/${place}/${code}/`,
    ),
    `https://instagram.com/p/${code}?img_index=2&igsh=abc`,
    `https://m.instagram.com/p/${code}/`,
    `https://instagr.am/p/${code}/`,
    `https://www.instagram.com/p/${code}/embed/captioned/`,
    'https://www.instagram.com/share/reel/BACx1',
    'https://www.instagram.com/share/BACx1',
    'https://www.instagram.com/reels/audio/26106058285758518/',
    'https://www.instagram.com/natgeo/',
  ],
  p3: [
    `${facebook}/reel/${number}`,
    `${facebook}/NASA/videos/${number}`,
    `${facebook}/NASA/videos/a-title/${number}/`,
    `${facebook}/100044561550831/videos/vb.1/${number}`,
    `${facebook}/watch/?v=${number}`,
    `${facebook}/watch/live/?v=${number}`,
    `${facebook}/video.php?v=${number}`,
    `${facebook}/video/embed?video_id=${number}`,
    `${facebook}/plugins/video.php?href=${encodeURIComponent(`${facebook}/x/videos/${number}/`)}`,
    'https://fb.watch/AbC_1/',
    'https://fb.me/AbC',
    ...['v/', 'r/', 'p/', ''].map((kind) => `${facebook}/share/${kind}AbC/`),
    `${facebook}/NASA/posts/${number}`,
    `${facebook}/NASA/posts/a-title/${pfbid}`,
    `${facebook}/permalink.php?story_fbid=${pfbid}&id=1000`,
    `https://mbasic.facebook.com/story.php?story_fbid=${number}&id=1000`,
    `${facebook}/groups/a.b/posts/${number}`,
    `${facebook}/groups/1443890352589739/permalink/${number}/`,
    `${facebook}/photo/?fbid=${number}&set=a.77`,
    `${facebook}/photo.php?fbid=${number}`,
    `${facebook}/NASA/photos/a.77/${number}/`,
    ...['', '/about', '/photos', '/reels', '/videos'].map((tab) => `https://de-de.facebook.com/NASA${tab}`),
    `${facebook}/profile.php?id=100044561550831`,
    `${facebook}/people/A-B/100044561550831/`,
    `${facebook}/pg/NASA/`,
    'https://m.facebook.com/NASA',
    'https://fb.com/NASA',
    `https://l.facebook.com/l.php?u=${encodeURIComponent(`${facebook}/NASA`)}`,
  ],
  p4: [
    `https://www.tiktok.com/@some.name/video/${post}`,
    `https://tiktok.com/@some.name/photo/${post}?lang=en`,
    `https://m.tiktok.com/@/video/${post}`,
    `https://www.tiktok.com/share/video/${post}/`,
    `https://www.tiktok.com/i18n/share/video/${post}`,
    `https://www.tiktok.com/embed/${post}`,
    `https://www.tiktok.com/embed/v2/${post}`,
    `https://www.tiktokv.com/share/video/${post}/`,
    `https://m.tiktok.com/v/${post}.html`,
    'https://vm.tiktok.com/ZMabc12/',
    'https://vt.tiktok.com/ZSabc/',
    'https://www.tiktok.com/t/ZTabc/',
    'https://www.tiktok.com/@name',
    'https://www.tiktok.com/@name/live',
  ],
  p5: [
    'https://www.dailymotion.com/video/x96ndxe',
    'https://dailymotion.com/video/x96ndxe_a-title',
    'https://touch.dailymotion.com/video/x96ndxe',
    'https://www.dailymotion.fr/video/k1qHMhAd8SkWeABAfEC',
    'https://www.dailymotion.com/embed/video/x96ndxe',
    'https://www.dailymotion.com/crawler/video/x96ndxe',
    'https://www.dailymotion.com/swf/x96ndxe',
    'https://geo.dailymotion.com/player.html?video=x96ndxe',
    'https://geo.dailymotion.com/player/xabc1.html?video=x96ndxe',
    'https://dai.ly/x96ndxe',
  ],
  p6: [
    ...['www.pinterest.com', 'pinterest.com', 'ru.pinterest.com', 'www.pinterest.co.uk', 'www.pinterest.com.au'].map(
      (host) => `https://${host}/pin/${pin}/`,
    ),
    ...['pinterest.fr', 'pinterest.de', 'www.pinterest.jp', 'br.pinterest.com', 'pinterest.com.mx'].map(
      (host) => `http://${host}/pin/${pin}`,
    ),
    `https://www.pinterest.com/pin/a-title-for-people--${pin}/`,
    `https://www.pinterest.com/pin/${pin}/sent/?invite_code=abc`,
    `https://www.pinterest.com/amp/pin/${pin}`,
    'https://pin.it/4AbCdEf',
    'https://api.pinterest.com/url_shortener/4AbCdEf/redirect/',
  ],
};

/** Links that only look like one, or hold it in them. */
export function disguised(link: string): readonly string[] {
  const { host, pathname, search } = new URL(link);
  return [
    `https://other.example/${link}`,
    `https://other.example/?u=${encodeURIComponent(link)}`,
    `https://${host}@other.example${pathname}${search}`,
    `https://${host}.other.example${pathname}${search}`,
    `https://other${host.split('.').slice(-2).join('.')}${pathname}${search}`,
  ];
}
