import { createHash } from 'node:crypto';
import { findPin, type Picture, type Pin } from './pins.ts';

/** Size in which the site stores every image: its name, and the pixels that the image is fitted or cropped to. */
interface Size {
  readonly name: string;
  readonly width: number;
  /** Height of the cropped image; without it the image is only scaled down to the width, and never enlarged. */
  readonly height?: number;
}

/** The sizes, in the order of the JSON interface. */
export const sizes: readonly Size[] = [
  { name: '60x60', width: 60, height: 60 },
  { name: '136x136', width: 136, height: 136 },
  { name: '236x', width: 236 },
  { name: '474x', width: 474 },
  { name: '564x', width: 564 },
  { name: '600x315', width: 600, height: 315 },
  { name: '736x', width: 736 },
  { name: '1200x', width: 1200 },
];

/** Address of an image with its size in pixels. */
interface SizedImage {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Returns an image in one of its sizes; the address has `originals` for the name `orig`. */
export function imageOf(pin: Pin, picture: Picture, name: string): SizedImage {
  const folder = name === 'orig' ? 'originals' : name;
  const ending = name === 'orig' ? picture.ending : 'jpg';
  const signature = signatureOf(pin, picture.number);
  return {
    url: `https://i.pinimg.com/${folder}/${folders(signature)}/${signature}.${ending}`,
    ...pixels(picture, name),
  };
}

/** Returns the pixels of an image in one of its sizes. */
export function pixels(picture: Picture, name: string): { readonly width: number; readonly height: number } {
  const { width, height } = picture;
  const size = sizes.find((each) => each.name === name);
  if (size === undefined) return { width, height };
  if (size.height !== undefined) return { width: size.width, height: size.height };
  const fittedWidth = Math.min(size.width, width);
  return { width: fittedWidth, height: Math.floor((height * fittedWidth) / width) };
}

/** Returns the link of an item's video file or playlist. */
export function videoUrl(pin: Pin, number: number, place: '720p' | 'hls'): string {
  const signature = signatureOf(pin, number);
  return `https://v1.pinimg.com/videos/iht/${place}/${folders(signature)}/${signature}.${place === 'hls' ? 'm3u8' : 'mp4'}`;
}

/** Returns the link of a video's thumbnail. */
export function thumbnailUrl(pin: Pin, number: number): string {
  const signature = signatureOf(pin, number);
  return `https://i.pinimg.com/videos/thumbnails/originals/${folders(signature)}/${signature}.0000000.jpg`;
}

/** Returns the link of a video's captions. */
export function captionsUrl(pin: Pin, number: number, language: string): string {
  return `https://v1.pinimg.com/videos/captions/${signatureOf(pin, number)}_${language}.vtt`;
}

/** Returns the link of a page's music. */
export function musicUrl(pin: Pin, number: number): string {
  return `https://v1.pinimg.com/audio/${signatureOf(pin, number)}.m4a`;
}

/**
 * Returns the signature of an image: 32 hexadecimal digits, as on the site. Here they are a checksum of 8 digits, the
 * image's number and the pin's ID.
 */
export function signatureOf(pin: Pin, number: number): string {
  const rest = number.toString(16).padStart(2, '0') + BigInt(pin.id).toString(16).padStart(22, '0');
  return proof(rest) + rest;
}

/** Returns the pin and the image number of a signature; undefined if the lab did not issue it. */
export function openSignature(signature: string): { readonly pin: Pin; readonly number: number } | undefined {
  const [, proven, rest = ''] = /^([0-9a-f]{8})([0-9a-f]{24})$/.exec(signature) ?? [];
  if (proven !== proof(rest)) return undefined;
  const pin = findPin(BigInt(`0x${rest.slice(2)}`).toString());
  return pin && { pin, number: Number.parseInt(rest.slice(0, 2), 16) };
}

function folders(signature: string): string {
  return [0, 2, 4].map((at) => signature.slice(at, at + 2)).join('/');
}

function proof(rest: string): string {
  return createHash('sha256').update(`pin ${rest}`).digest('hex').slice(0, 8);
}
