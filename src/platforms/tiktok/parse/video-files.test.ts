import { describe, expect, it } from 'vitest';
import { encode } from '../testing/pages.ts';
import { createListReader } from './list-reader.ts';
import { readVideoFiles } from './video-files.ts';

const file = 'https://v16-webapp-prime.tiktok.com/video/main/?bt=100';

const read = (video: object) => readVideoFiles({ ...video }, createListReader());

describe('readVideoFiles', () => {
  it('returns the main file once, even if only its key matches an encode', () => {
    const main = encode('normal_540_0', 'h264', 540, 900);
    const video = {
      playAddr: file,
      PlayAddrStruct: { UrlKey: 'v1_h264_540p_900' },
      bitrateInfo: [encode('adapt_720_1', 'h265_hvc1', 720, 800), main],
    };
    expect(read(video).map(({ repId, main }) => [repId, main])).toEqual([
      ['main', true],
      ['adapt_720_1', false],
    ]);
  });

  it('reads a main file that is not in the list of encodes from its own members', () => {
    const video = { playAddr: file, width: 576, height: 1024, size: '5', codecType: 'h265_hvc1', definition: '540p' };
    expect(read({ ...video, PlayAddrStruct: { UrlList: [file] } })).toEqual([
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

  it('computes the dimensions of encodes without any from those of the video', () => {
    const row = (GearName: string, Bitrate: number) => ({
      GearName,
      Bitrate,
      PlayAddr: { UrlList: [`${file}&gear=${GearName}`] },
    });
    const bitrateInfo = [row('adapt_540_1', 9), row('adapt_lowest_1080_1', 5), row('adapt_720_1', 6), row('new', 1)];
    const video = { playAddr: file, width: 576, height: 1024, bitrateInfo };
    expect(read(video).map(({ repId, width, height }) => [repId, width, height])).toEqual([
      ['main', 576, 1024],
      ['adapt_lowest_1080_1', 1080, 1920],
      ['adapt_720_1', 720, 1280],
      ['adapt_540_1', 576, 1024],
      ['new', 576, 1024],
    ]);
    expect(read({ ...video, width: 0 }).every(({ width }) => width === 0)).toBe(true);
  });

  it("reads links without a scheme and lists the site's own link last", () => {
    const UrlList = ['//www.tiktok.com/aweme/v1/play/?a=1', '//v16.tiktokcdn.com/a/'];
    expect(read({ bitrateInfo: [{ PlayAddr: { UrlList } }] })).toMatchObject([
      { url: 'https://v16.tiktokcdn.com/a/', repId: 'video', label: 'video', main: false },
    ]);
  });

  it('gives each file a unique name', () => {
    const repeatedEncode = encode('normal_540_0', 'h264', 540, 900);
    const other = encode('normal_540_0', 'h264', 540, 800);
    const names = read({ bitrateInfo: [repeatedEncode, other, repeatedEncode, repeatedEncode] }).map(
      ({ repId }) => repId,
    );
    expect(names).toEqual(['normal_540_0', 'normal_540_0_900', 'normal_540_0_2', 'normal_540_0_800']);
  });

  it.each([{}, { playAddr: '' }, { playAddr: 'javascript:1' }, { bitrateInfo: 5 }, { bitrateInfo: [null, {}] }])(
    'finds no file in %j',
    (video) => {
      expect(read(video)).toEqual([]);
    },
  );
});
