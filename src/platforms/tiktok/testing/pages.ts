/** Returns a page of the simulated site with the given scopes. */
export function page(scopes: object, element = '__UNIVERSAL_DATA_FOR_REHYDRATION__'): string {
  const data = element === 'api-data' ? scopes : { __DEFAULT_SCOPE__: scopes };
  return `<!DOCTYPE html><html><script id="${element}" type="application/json">${JSON.stringify(data)}</script></html>`;
}

/** Returns the detail of a displayed post. */
export function detailOf(item: object): object {
  return { statusCode: 0, statusMsg: '', itemInfo: { itemStruct: item } };
}

/** The ID of the posts in tests. */
export const postId = '7608826249200356630';

const cdn = 'https://v16-webapp-prime.tiktok.com/video/tos/a';

/** Returns an encode as the desktop page lists it. */
export function encode(gear: string, codec: string, side: number, bitrate: number): object {
  return {
    GearName: gear,
    QualityType: 1,
    CodecType: codec,
    Bitrate: bitrate,
    BitrateFPS: 30,
    PlayAddr: {
      Width: side,
      Height: side * 2,
      DataSize: `${bitrate * 2}`,
      UrlKey: `v1_${codec === 'h264' ? 'h264' : 'bytevc1'}_${side}p_${bitrate}`,
      UrlList: [
        `https://www.tiktok.com/aweme/v1/play/?video_id=${gear}`,
        `${cdn}/${gear}/?mime_type=video_mp4&expire=1784355633&tk=tt_chain_token`,
      ],
    },
  };
}

/** A video post. */
export const videoItem = {
  id: postId,
  desc: 'A video #one @two',
  createTime: '1771567930',
  author: { id: '5', uniqueId: 'two.three', nickname: 'Two', verified: true },
  authorStats: { followerCount: 9_900, videoCount: 3 },
  authorStatsV2: { followerCount: '9901' },
  stats: { playCount: 10_000, diggCount: 5, collectCount: '7' },
  statsV2: { playCount: '10001' },
  textExtra: [{ hashtagName: 'one' }, { userUniqueId: 'two', userId: '8' }, { hashtagName: 'one' }],
  video: {
    width: 540,
    height: 1080,
    duration: 12,
    cover: 'https://p16-common-sign.tiktokcdn.com/a~tplv-tiktokx-origin.image?x-expires=1784354400',
    playAddr: `${cdn}/normal_540_0/?mime_type=video_mp4&expire=1784355633&tk=tt_chain_token`,
    downloadAddr: `${cdn}/watermarked/?mime_type=video_mp4`,
    bitrateInfo: [encode('normal_540_0', 'h264', 540, 900), encode('adapt_1080_1', 'h265_hvc1', 1080, 800)],
  },
  music: {
    id: '77',
    title: 'original sound',
    authorName: 'Two',
    playUrl: 'https://v77.tiktokcdn.com/629ad46a91adc54980df60aad7fb0089/697ecc15/video/x/?mime_type=audio_mpeg',
    duration: 12,
    original: true,
  },
};

const photo = (name: string) => ({
  imageURL: {
    urlList: [
      `https://p16-sign.tiktokcdn.com/${name}~tplv-photomode-image.webp?x-expires=1784354400`,
      `https://p19-sign.tiktokcdn.com/${name}~tplv-photomode-image.jpeg?x-expires=1784354400`,
    ],
  },
  imageWidth: 1080,
  imageHeight: 1440,
});

/** A photo post. */
export const photoItem = {
  ...videoItem,
  desc: '',
  video: { width: 0, height: 0, duration: 0, playAddr: '' },
  imagePost: { title: 'Two photos', images: [photo('a'), photo('b')], cover: photo('cover') },
};

/** The bot check page of the site's firewall. */
export const wafPage =
  'Please wait...<p id="cs" class="e30"></p><script id="slardar-config">{"slardarClient":"SlardarWAF"}</script>';
