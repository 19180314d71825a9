import { encodeMessage, encodeParams } from './protobuf.ts';

/** Returns the `params` with which `FEpost_detail` returns a post. */
export function postParams(channelId: string, postId: string): string {
  return encodeParams([56, encodeMessage([2, channelId], [3, postId], [11, channelId])]);
}
