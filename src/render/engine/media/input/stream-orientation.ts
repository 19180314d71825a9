import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { type Orientation, readOrientation } from '../../formats/orientation.ts';

/** Returns the orientation that players apply to the frames of a stream. */
export function orientationOf({ codecpar }: Stream): Orientation {
  return readOrientation(codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX));
}
