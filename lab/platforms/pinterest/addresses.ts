import { createHash } from 'node:crypto';
import { findPin, type Picture, type Pin } from './pins.ts';

/** A size in which the site keeps every picture: its name, and the pixels that it is fitted or cropped to. */
interface Size {
  readonly name: string;
  readonly width: number;
  /** Cropped to this height; without it the picture is only made narrower, and never larger. */
  readonly height?: number;
}

/** The sizes, in the order in which the JSON interface names them. */
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

/** An address with its pixels. */
interface SizedImage {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** A picture in one of its sizes; `originals` where the name is `orig`. */
export function imageOf(pin: Pin, picture: Picture, name: string): SizedImage {
  const folder = name === 'orig' ? 'originals' : name;
  const ending = name === 'orig' ? picture.ending : 'jpg';
  const signature = signatureOf(pin, picture.number);
  return {
    url: `https://i.pinimg.com/${folder}/${folders(signature)}/${signature}.${ending}`,
    ...pixels(picture, name),
  };
}

/** What a picture measures in one of its sizes. */
export function pixels(picture: Picture, name: string): { readonly width: number; readonly height: number } {
  const { width, height } = picture;
  const size = sizes.find((each) => each.name === name);
  if (size === undefined) return { width, height };
  if (size.height !== undefined) return { width: size.width, height: size.height };
  const fittedWidth = Math.min(size.width, width);
  return { width: fittedWidth, height: Math.floor((height * fittedWidth) / width) };
}

/** The video of an item, in one of the places where its files lie. */
export function videoUrl(pin: Pin, number: number, place: '720p' | 'hls'): string {
  const signature = signatureOf(pin, number);
  return `https://v1.pinimg.com/videos/iht/${place}/${folders(signature)}/${signature}.${place === 'hls' ? 'm3u8' : 'mp4'}`;
}

/** The picture that stands for a video. */
export function thumbnailUrl(pin: Pin, number: number): string {
  const signature = signatureOf(pin, number);
  return `https://i.pinimg.com/videos/thumbnails/originals/${folders(signature)}/${signature}.0000000.jpg`;
}

/** Words that are spoken in a video. */
export function captionsUrl(pin: Pin, number: number, language: string): string {
  return `https://v1.pinimg.com/videos/captions/${signatureOf(pin, number)}_${language}.vtt`;
}

/** The music of a page. */
export function musicUrl(pin: Pin, number: number): string {
  return `https://v1.pinimg.com/audio/${signatureOf(pin, number)}.m4a`;
}

/**
 * The signature of a picture: 32 hexadecimal digits, as the site has. Here they are 8 digits that prove the rest, the
 * picture's number and the pin's.
 */
export function signatureOf(pin: Pin, number: number): string {
  const rest = number.toString(16).padStart(2, '0') + BigInt(pin.id).toString(16).padStart(22, '0');
  return proof(rest) + rest;
}

/** The pin and the picture's number that a signature stands for; undefined where it is none of the lab's. */
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
