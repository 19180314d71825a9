import type { LinkForms } from '../link-forms.ts';

const pin = '31454897393552949';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: [`item/${pin}`],
    links: [
      ...['www.pinterest.com', 'pinterest.com', 'ru.pinterest.com', 'www.pinterest.co.uk', 'www.pinterest.com.au'].map(
        (host) => `https://${host}/pin/${pin}/`,
      ),
      ...[
        'pinterest.fr',
        'pinterest.de',
        'www.pinterest.jp',
        'br.pinterest.com',
        'pinterest.com.mx',
        'in.pinterest.com',
      ].map((host) => `http://${host}/pin/${pin}`),
      `https://www.pinterest.com/pin/a-title-for-people--${pin}/`,
      `https://www.pinterest.com/pin/${pin}/sent/?invite_code=abc`,
      `https://www.pinterest.com/amp/pin/${pin}`,
      `https://de.pinterest.com/amp/pin/${pin}/`,
      `https://www.pinterest.ch/pin/ein-titel--${pin}/sent/?invite_code=abc&sender=1&sfo=1`,
      `https://www.pinterest.com/pin/${pin}/?mt=login`,
      `https://assets.pinterest.com/ext/embed.html?id=${pin}`,
    ],
  },
  {
    names: [],
    links: [
      'https://pin.it/4AbCdEf',
      'https://www.pin.it/4AbCdEf/',
      'https://api.pinterest.com/url_shortener/4AbCdEf/redirect/',
    ],
  },
];
