import { describe, expect, it } from 'vitest';
import { encode } from '../testing/pages.ts';
import { readVideoFiles } from './video-files.ts';

const file = 'https://v16-webapp-prime.tiktok.com/video/main/?bt=100';

describe('readVideoFiles', () => {
  it('returns the main file once, even if only its key matches an encode', () => {
    const main = encode('normal_540_0', 'h264', 540, 900);
    const video = {
      playAddr: file,
      PlayAddrStruct: { UrlKey: 'v1_h264_540p_900' },
      bitrateInfo: [encode('adapt_720_1', 'h265_hvc1', 720, 800), main],
    };
    expect(readVideoFiles(video).map(({ repId, main }) => [repId, main])).toEqual([
      ['main', true],
      ['adapt_720_1', false],
    ]);
  });

  it('reads a main file that is not in the list of encodes from its own members', () => {
    const video = { playAddr: file, width: 576, height: 1024, size: '5', codecType: 'h265_hvc1', definition: '540p' };
    expect(readVideoFiles({ ...video, PlayAddrStruct: { UrlList: [file] } })).toEqual([
      {
        url: file,
        repId: 'main',
        label: '540p',
        main: true,
        width: 576,
        height: 1024,
        hasAudio: true,
        codec: 'hevc',
        bitrate: 102_400,
        bytes: 5,
      },
    ]);
  });

  it("reads links without a scheme and lists the site's own link last", () => {
    const UrlList = ['//www.tiktok.com/aweme/v1/play/?a=1', '//v16.tiktokcdn.com/a/'];
    expect(readVideoFiles({ bitrateInfo: [{ PlayAddr: { UrlList } }] })).toMatchObject([
      { url: 'https://v16.tiktokcdn.com/a/', repId: 'video', label: 'video', main: false },
    ]);
  });

  it('gives each file a unique name', () => {
    const repeatedEncode = encode('normal_540_0', 'h264', 540, 900);
    const other = encode('normal_540_0', 'h264', 540, 800);
    const names = readVideoFiles({ bitrateInfo: [repeatedEncode, other, repeatedEncode, repeatedEncode] }).map(
      ({ repId }) => repId,
    );
    expect(names).toEqual(['normal_540_0', 'normal_540_0_900', 'normal_540_0_2', 'normal_540_0_800']);
  });

  it.each([{}, { playAddr: '' }, { playAddr: 'javascript:1' }, { bitrateInfo: 5 }, { bitrateInfo: [null, {}] }])(
    'finds no file in %j',
    (video) => {
      expect(readVideoFiles(video)).toEqual([]);
    },
  );
});
