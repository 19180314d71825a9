/**
 * Media that tests need within a short time, such as the 10 s of a preview or of a webhook. The lab makes media at its
 * first request, which takes longer on a busy machine.
 */
const media = [
  ...['/media/amber-2/movie-360.mp4', '/media/amber-2/still-720.jpg', '/media/amber-12/still-360.jpg'],
  ...['/media/lilac-8/movie-720.mp4', '/hls/lilac-8/1080/seg-00001.ts'],
  ...['/hls/amber-30/720/seg-00001.ts', '/hls/coral-30/180/seg-00001.ts', '/hls/coral-24/180/seg-00001.ts'],
];
/** Pages that the service compresses at their first request. */
const pages = ['/', '/docs'];

/** Sends the requests whose first responses take long, before any test waits for one. */
export async function sendFirstRequests(labUrl: string, serviceUrl: string): Promise<void> {
  const addresses = [...media.map((path) => labUrl + path), ...pages.map((path) => serviceUrl + path)];
  await Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${address} responded with ${response.status}`);
    }),
  );
}
