import { expect, it } from 'vitest';
import { restPin } from '../testing/pins.ts';
import { pinMetadata } from './pin-metadata.ts';

it('has the hashtags and mentions of a description in any script, without their signs', () => {
  const description = 'शुभ #हिन्दी #ไทย ＃東京#বাংলা (#one) by @some.one, mail a@b.example https://a.example/#no';
  const { additionalData } = pinMetadata({ ...restPin, description }, restPin.id, 'resource');
  expect(additionalData).toMatchObject({ hashtags: ['हिन्दी', 'ไทย', '東京', 'বাংলা', 'one'], mentions: ['some.one'] });
});

it("has the site's annotations as tags", () => {
  const pin = { ...restPin, pin_join: { visual_annotation: ['Sky', 'Night'] } };
  expect(pinMetadata(pin, restPin.id, 'resource').additionalData).toMatchObject({
    tags: ['Sky', 'Night'],
    hashtags: ['one', 'two'],
  });
});
