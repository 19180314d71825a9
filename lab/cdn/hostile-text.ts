/** Addresses in a disguised text. */
interface HostileTargets {
  /** Absolute address of a file. */
  readonly file: string;
  /** Absolute address inside the network. */
  readonly inside: string;
}

/** Texts that a media engine may detect as media and that refer to files and internal addresses, by name. */
export const disguisedTexts: Readonly<
  Record<string, { readonly about: string; readonly text: (targets: HostileTargets) => string }>
> = {
  'ffconcat.mp4': {
    about: "FFmpeg's list of files",
    text: ({ file, inside }) => `ffconcat version 1.0\nfile '${file}'\nfile '${inside}'\n`,
  },
  'mpd.mp4': {
    about: 'a DASH manifest',
    text: ({ file, inside }) => `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
  <Period>
    <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" codecs="avc1.64001f"><BaseURL>${xml(file)}</BaseURL></Representation></AdaptationSet>
    <AdaptationSet mimeType="audio/mp4"><Representation id="2" bandwidth="1000" codecs="mp4a.40.2"><BaseURL>${xml(inside)}</BaseURL></Representation></AdaptationSet>
  </Period>
</MPD>
`,
  },
  'sdp.mp4': {
    about: 'a session description that opens ports and contacts a server',
    text: ({ file, inside }) => {
      const { hostname, port } = new URL(inside);
      return [
        'v=0',
        'o=- 0 0 IN IP4 127.0.0.1',
        `s=${file}`,
        `u=${inside}`,
        `c=IN IP4 ${hostname}`,
        't=0 0',
        `a=control:${inside}`,
        `m=video ${port === '' ? '80' : port} RTP/AVP 96`,
        'a=rtpmap:96 H264/90000',
        '',
      ].join('\r\n');
    },
  },
  'svg.mp4': {
    about: 'an SVG drawing with external images',
    text: ({ file, inside }) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg [<!ENTITY inside SYSTEM "${xml(file)}">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
  <image xlink:href="${xml(file)}" width="64" height="64"/><image href="${xml(inside)}" width="64" height="64"/>
  <text>&inside;</text>
</svg>
`,
  },
  'm3u8.mp4': {
    about: 'an HLS playlist',
    text: ({ file, inside }) =>
      `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.000,\n${file}\n#EXTINF:4.000,\n${inside}\n#EXT-X-ENDLIST\n`,
  },
};

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
