import { choose, pick } from './seeded.ts';

/** Topics of channels: a search for one of these words finds them and their videos. */
export const topics = [
  'bridges',
  'clocks',
  'deserts',
  'engines',
  'forests',
  'gardens',
  'harbours',
  'islands',
  'kites',
  'lanterns',
  'mills',
  'orchards',
  'pianos',
  'rivers',
  'trains',
  'volcanoes',
] as const;

/** One of {@link topics}. */
export type Topic = (typeof topics)[number];

/** Languages into which most titles are translated. */
type Language = 'en' | 'de' | 'fr' | 'es' | 'ja';

/** Names of the topics in the languages other than English. */
const translations: Readonly<Record<Topic, Readonly<Record<Exclude<Language, 'en'>, string>>>> = {
  bridges: { de: 'Brücken', fr: 'ponts', es: 'puentes', ja: '橋' },
  clocks: { de: 'Uhren', fr: 'horloges', es: 'relojes', ja: '時計' },
  deserts: { de: 'Wüsten', fr: 'déserts', es: 'desiertos', ja: '砂漠' },
  engines: { de: 'Motoren', fr: 'moteurs', es: 'motores', ja: 'エンジン' },
  forests: { de: 'Wälder', fr: 'forêts', es: 'bosques', ja: '森' },
  gardens: { de: 'Gärten', fr: 'jardins', es: 'jardines', ja: '庭' },
  harbours: { de: 'Häfen', fr: 'ports', es: 'puertos', ja: '港' },
  islands: { de: 'Inseln', fr: 'îles', es: 'islas', ja: '島' },
  kites: { de: 'Drachen', fr: 'cerfs-volants', es: 'cometas', ja: '凧' },
  lanterns: { de: 'Laternen', fr: 'lanternes', es: 'faroles', ja: '灯籠' },
  mills: { de: 'Mühlen', fr: 'moulins', es: 'molinos', ja: '水車' },
  orchards: { de: 'Obstgärten', fr: 'vergers', es: 'huertos', ja: '果樹園' },
  pianos: { de: 'Klaviere', fr: 'pianos', es: 'pianos', ja: 'ピアノ' },
  rivers: { de: 'Flüsse', fr: 'rivières', es: 'ríos', ja: '川' },
  trains: { de: 'Züge', fr: 'trains', es: 'trenes', ja: '列車' },
  volcanoes: { de: 'Vulkane', fr: 'volcans', es: 'volcanes', ja: '火山' },
};

/** Titles by language, in the same order. `{}` is the topic, `<>` a place. */
const phrases: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  en: [
    'How {} work',
    'A quiet walk among {} near <>',
    'The secret life of {}',
    'Ten facts about {} that nobody told me',
    'Building {} by hand',
    '48 hours in <>: {}, rain and far too much coffee ☕️',
    'I drew {} every day for a year',
    '{} at dawn (no talking, just sound)',
    'Why are the {} of <> disappearing?',
    'Everything I got wrong about {}',
    '{} for beginners: the complete guide to your first season, with all the mistakes left in',
    'The last {} of <>',
    'We found forgotten {} near <> 😮',
    '{} in 4K: one hour of calm',
  ],
  de: [
    'So funktionieren {}',
    'Ein stiller Spaziergang bei <>: {}',
    'Das geheime Leben: {}',
    'Zehn Dinge über {}, die mir niemand gesagt hat',
    'Von Hand gebaut: {}',
    '48 Stunden in <>: {}, Regen und viel zu viel Kaffee ☕️',
    'Ein Jahr lang jeden Tag gezeichnet: {}',
    '{} im Morgengrauen (ohne Worte)',
    'Warum verschwinden die {} von <>?',
    'Was ich über {} falsch verstanden habe',
    '{} für Anfänger: die komplette Anleitung für die erste Saison, mit allen Fehlern',
    'Die letzten {} von <>',
    'Vergessene {} bei <> entdeckt 😮',
    '{} in 4K: eine Stunde Ruhe',
  ],
  fr: [
    'Comment fonctionnent les {}',
    'Une promenade tranquille près de <> : {}',
    'La vie secrète des {}',
    'Dix choses sur les {} que personne ne m’a dites',
    'Construire des {} à la main',
    '48 heures à <> : {}, pluie et beaucoup trop de café ☕️',
    'J’ai dessiné des {} chaque jour pendant un an',
    '{} à l’aube (sans paroles)',
    'Pourquoi les {} de <> disparaissent-ils ?',
    'Tout ce que je croyais savoir sur les {}',
    '{} pour débutants : le guide complet de la première saison, avec toutes les erreurs',
    'Les derniers {} de <>',
    'Des {} oubliés près de <> 😮',
    '{} en 4K : une heure de calme',
  ],
  es: [
    'Cómo funcionan los {}',
    'Un paseo tranquilo cerca de <>: {}',
    'La vida secreta: {}',
    'Diez datos sobre {} que nadie me contó',
    'Hechos a mano: {}',
    '48 horas en <>: {}, lluvia y demasiado café ☕️',
    'Dibujé {} todos los días durante un año',
    '{} al amanecer (sin palabras)',
    '¿Por qué desaparecen los {} de <>?',
    'Todo lo que entendí mal sobre {}',
    '{} para principiantes: la guía completa de la primera temporada, con todos los errores',
    'Los últimos {} de <>',
    'Encontramos {} olvidados cerca de <> 😮',
    '{} en 4K: una hora de calma',
  ],
  ja: [
    '{}の仕組み',
    '<>の近くで{}を静かに歩く',
    '{}の知られざる世界',
    '誰も教えてくれなかった{}の十の事実',
    '手作りの{}',
    '<>で48時間：{}と雨とコーヒー ☕️',
    '一年間、毎日{}を描いてみた',
    '夜明けの{}（音だけ）',
    '<>の{}はなぜ消えるのか',
    '{}について間違っていたこと',
    'はじめての{}：失敗もすべて見せる完全ガイド',
    '<>の最後の{}',
    '<>の近くで忘れられた{}を発見 😮',
    '{}を4Kで：静かな一時間',
  ],
};

const places = ['Porto', 'Ghent', 'Hokkaido', 'Bergen', 'Kerala', 'Utah', 'Bled', 'Oaxaca', 'Fez', 'Nara'] as const;

/** Titles that their authors have not translated. */
const originals = [
  'Zwei Wochen allein am Fjord – was ich dabei gelernt habe',
  'Omas Apfelkuchen, aber mit zwanzig Sorten (ja, wirklich)',
  'Der Nachtzug, den es nicht mehr geben dürfte',
  'Dziadek nauczył mnie budować latawce. Teraz uczę ja',
  'Ночной поезд через всю страну, часть 3',
  'Como restaurei um piano de 1912: do lixo à sala de concertos',
  'Acordei às 4 da manhã para ver isto',
  'Um dia no farol mais isolado de Portugal',
  'رحلة إلى أقدم جسر في المدينة القديمة',
  'صوت المطر في الغابة | ثماني ساعات للنوم',
  'كيف تُصنع الفوانيس يدويًا خطوة بخطوة',
] as const;

/** Returns the topic of an item. */
export function topicOf(id: string): Topic {
  return choose(topics, 'topic', id);
}

/** Returns the title of one item in six: it is always in the language of its author. */
export function untranslatedTitle(seed: string): string | undefined {
  return pick(6, 'original', seed) === 0 ? choose(originals, 'title', seed) : undefined;
}

/** Returns a title: the same phrase in each language, in English if there is no translation. */
export function titleText(topic: Topic, seed: string, hl: string): string {
  const [code = 'en'] = hl.split('-');
  const language = isLanguage(code) ? code : 'en';
  const name = language === 'en' ? topic : translations[topic][language];
  const title = choose(phrases[language], 'title', seed)
    .replace('{}', name)
    .replace('<>', choose(places, 'place', seed));
  return `${title[0]?.toUpperCase()}${title.slice(1)}`;
}

/** Returns the title of an item of a site that does not translate titles. */
export function titleOfItem(id: string): string {
  return untranslatedTitle(id) ?? titleText(topicOf(id), id, 'en');
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(phrases, code);
}
