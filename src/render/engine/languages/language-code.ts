/** Languages with a code of two letters, each followed by its code of ISO 639-2/T. */
const codes =
  'aa aar ab abk ae ave af afr ak aka am amh an arg ar ara as asm av ava ay aym az aze ba bak be bel bg bul bi bis ' +
  'bm bam bn ben bo bod br bre bs bos ca cat ce che ch cha co cos cr cre cs ces cu chu cv chv cy cym da dan de deu ' +
  'dv div dz dzo ee ewe el ell en eng eo epo es spa et est eu eus fa fas ff ful fi fin fj fij fo fao fr fra fy fry ' +
  'ga gle gd gla gl glg gn grn gu guj gv glv ha hau he heb hi hin ho hmo hr hrv ht hat hu hun hy hye hz her ia ina ' +
  'id ind ie ile ig ibo ii iii ik ipk in ind io ido is isl it ita iu iku iw heb ja jpn ji yid jv jav ka kat kg kon ' +
  'ki kik kj kua kk kaz kl kal km khm kn kan ko kor kr kau ks kas ku kur kv kom kw cor ky kir la lat lb ltz lg lug ' +
  'li lim ln lin lo lao lt lit lu lub lv lav mg mlg mh mah mi mri mk mkd ml mal mn mon mr mar ms msa mt mlt my mya ' +
  'na nau nb nob nd nde ne nep ng ndo nl nld nn nno no nor nr nbl nv nav ny nya oc oci oj oji om orm or ori os oss ' +
  'pa pan pi pli pl pol ps pus pt por qu que rm roh rn run ro ron ru rus rw kin sa san sc srd sd snd se sme sg sag ' +
  'si sin sk slk sl slv sm smo sn sna so som sq sqi sr srp ss ssw st sot su sun sv swe sw swa ta tam te tel tg tgk ' +
  'th tha ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig uk ukr ur urd uz uzb ve ven ' +
  'vi vie vo vol wa wln wo wol xh xho yi yid yo yor za zha zh zho zu zul';

const pairs = codes.split(' ');
const longCodes = new Map(pairs.flatMap((code, at) => (at % 2 === 0 ? [[code, pairs[at + 1] ?? 'und'] as const] : [])));

/** The code of an undetermined language. */
const undetermined = 'und';

/**
 * Returns the ISO 639-2 code of a language tag, such as `deu` for `de-AT`, which MP4 and QuickTime store; `und` if it has
 * none.
 */
export function languageCode(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-', 1);
  return longCodes.get(language) ?? (/^[a-z]{3}$/.test(language) ? language : undetermined);
}

/** Whether a tag says more than its {@link languageCode}, such as a country or a script. */
export function hasMoreThanCode(tag: string): boolean {
  return tag.includes('-') || languageCode(tag) === undetermined;
}

/** Longest tag that is read from a file, in characters (RFC 5646 §4.4.1 recommends room for 35). */
const maxTag = 35;

/** Returns a text from a file if it has the form of a language tag (RFC 5646 §2.1), or else undefined. */
export function parseLanguageTag(text: string): string | undefined {
  return text.length <= maxTag && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(text) ? text : undefined;
}

/** Packs a code of three letters into five bits each (ISO/IEC 14496-12 §8.4.2.3). */
export function packLanguage(code: string): number {
  return [...code].reduce((packed, letter) => packed * 32 + letter.charCodeAt(0) - 0x60, 0);
}
