import { describe, expect, it } from 'vitest';
import { pinReference } from './endpoints/parameters.ts';
import { isSiteHost, recognise } from './links.ts';

const links: [string, ReturnType<typeof recognise>][] = [
  ['https://www.pinterest.com/pin/31454897393552949/', { id: '31454897393552949' }],
  ['http://pinterest.com/pin/31454897393552949', { id: '31454897393552949' }],
  ['https://ru.pinterest.com/pin/31454897393552949/?lp=true#x', { id: '31454897393552949' }],
  ['https://www.pinterest.co.uk/pin/12345/sent/?invite_code=abc', { id: '12345' }],
  ['https://www.pinterest.com.au/pin/31454897393552949/', { id: '31454897393552949' }],
  ['https://pinterest.de/pin/31454897393552949/feedback/', { id: '31454897393552949' }],
  ['https://www.pinterest.com/amp/pin/31454897393552949/', { id: '31454897393552949' }],
  ['https://co.pinterest.com/pin/wingsuiting-in-2024--920563980074631155/', { id: '920563980074631155' }],
  ['https://assets.pinterest.com/ext/embed.html?id=31454897393552949', { id: '31454897393552949' }],
  ['https://pin.it/4AbCdEf', { shortCode: '4AbCdEf' }],
  ['https://pin.it/4AbCdEf/', { shortCode: '4AbCdEf' }],
  ['https://api.pinterest.com/url_shortener/4AbCdEf/redirect/', { shortCode: '4AbCdEf' }],
];

describe('recognise', () => {
  it.each(links)('reads %s as %j', (link, reference) => {
    expect(recognise(link)).toEqual(reference);
    expect(pinReference(link)).toEqual(reference);
  });

  it.each([
    '',
    '31454897393552949',
    'ftp://www.pinterest.com/pin/31454897393552949/',
    'https://www.pinterest.com/',
    'https://www.pinterest.com/someone/a-board/',
    'https://www.pinterest.com/pin/AbCdEfGh123/',
    'https://www.pinterest.com/pin/123/',
    'https://www.pinterest.com/pin/31454897393552949x/',
    'https://www.pinterest.com.evil.example/pin/31454897393552949/',
    'https://notpinterest.com/pin/31454897393552949/',
    'https://evil.example/www.pinterest.com/pin/31454897393552949/',
    'https://assets.pinterest.com/ext/embed.html?id=x',
    'https://pin.it/a/b',
    'https://pin.it/',
    'https://www.dailymotion.com/video/x96ndxe',
  ])('finds no pin in %j', (link) => {
    expect(recognise(link)).toBeNull();
  });
});

describe('pinReference', () => {
  it.each([
    ['12345', { id: '12345' }],
    ['1'.repeat(25), { id: '1'.repeat(25) }],
    [' 12345\n', { id: '12345' }],
  ])('accepts the ID %j', (value, reference) => {
    expect(pinReference(value)).toEqual(reference);
  });

  it.each([
    ['www.pinterest.com/pin/31454897393552949/', { id: '31454897393552949' }],
    ['pinterest.co.uk/pin/a-title--12345/', { id: '12345' }],
    ['pin.it/4AbCdEf', { shortCode: '4AbCdEf' }],
    ['Look: https://www.pinterest.com/pin/31454897393552949/.', { id: '31454897393552949' }],
    ['Schau dir das an! https://pin.it/4AbCdEf', { shortCode: '4AbCdEf' }],
    ['By https://www.pinterest.com/someone/ (https://de.pinterest.com/pin/12345/)', { id: '12345' }],
    ['https://www.youtube.com/watch?v=jNQXAC9IVRw and https://pin.it/4AbCdEf', { shortCode: '4AbCdEf' }],
    ['<iframe src="https://assets.pinterest.com/ext/embed.html?id=12345" height="445"></iframe>', { id: '12345' }],
  ])('finds the link in %j', (value, reference) => {
    expect(pinReference(value)).toEqual(reference);
  });

  it.each([
    ['', 'invalid_params'],
    ['1234', 'invalid_params'],
    ['1'.repeat(26), 'invalid_params'],
    ['abc', 'invalid_params'],
    ['31454897393552949/..', 'invalid_params'],
    ['https://', 'invalid_params'],
    ['two words', 'invalid_params'],
    ['www.pinterest.com/someone/', 'invalid_url'],
    ['example.com/pin/31454897393552949/', 'invalid_platform_url'],
    ['https://user@www.pinterest.com/pin/31454897393552949/', 'invalid_platform_url'],
    ['https://www.pinterest.com/someone/', 'invalid_url'],
    ['https://www.pinterest.com/pin/AbCdEfGh123/', 'invalid_url'],
    ['https://pin.it/', 'invalid_url'],
    ['https://www.dailymotion.com/video/x96ndxe', 'invalid_platform_url'],
    ['https://pinterest.com.evil.example/pin/31454897393552949/', 'invalid_platform_url'],
  ])('rejects %j with %s', (value, code) => {
    expect(() => pinReference(value)).toThrow(expect.objectContaining({ code, parameter: 'pinId' }));
  });
});

it.each([
  ['www.pinterest.com', true],
  ['pinterest.co.uk', true],
  ['br.pinterest.com', true],
  ['pinterest.com.evil.example', false],
  ['i.pinimg.com', false],
  [`${'a'.repeat(100)}.pinterest.com`, false],
])('isSiteHost(%s) returns %s', (host, isKnown) => {
  expect(isSiteHost(host)).toBe(isKnown);
});
