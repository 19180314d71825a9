import { resolve } from 'node:path';
import { parseUrl } from '../contract/parse-url.ts';

/** Reads a whole number between two bounds, both inclusive. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** Reads a comma-separated list; empty members are omitted. */
export function list<T>(read: (text: string) => T): (text: string) => T[] {
  return (text) => {
    const parts = text.split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '').map(read);
  };
}

/** Reads one of several words. */
export function oneOf<Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
}

/** Reads any text. */
export function anyText(text: string): string {
  return text;
}

/** Reads an HTTP or HTTPS address and removes its trailing slash. */
export function httpUrl(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('must be an HTTP or HTTPS address');
  return url.href.replace(/\/$/, '');
}

/** Reads a file system path and makes it absolute. */
export function path(text: string): string {
  return resolve(text);
}

/** Reads a secret of at least 16 characters. */
export function secret(text: string): string {
  if (text.length < 16) throw new Error('must have at least 16 characters');
  return text;
}

/** Reads a caller's key. */
export function plainKey(text: string): string {
  if (!/^[\x21-\x7e]{8,256}$/.test(text))
    throw new Error('must contain only keys of 8 to 256 visible ASCII characters');
  return text;
}
