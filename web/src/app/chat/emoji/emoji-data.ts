import type { EmojiData } from 'frimousse';
import englishEmoji from 'emojibase-data/en/data.json?url';
import englishTexts from 'emojibase-data/en/messages.json?url';
import chineseEmoji from 'emojibase-data/zh/data.json?url';
import chineseTexts from 'emojibase-data/zh/messages.json?url';

/** Newest Unicode version whose emoji current systems can show; later ones would be empty boxes. */
const MAX_VERSION = 15;
const TONES = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;

/** An emoji of emojibase. */
interface SourceEmoji {
  emoji: string;
  hexcode: string;
  label: string;
  version: number;
  /** Absent: a component, such as a skin tone. */
  group?: number;
  tags?: string[];
  skins?: { emoji: string; tone: number | number[] }[];
}

/** Texts of emojibase. */
interface SourceTexts {
  groups: { key: string; message: string; order: number }[];
  skinTones: { key: (typeof TONES)[number]; message: string }[];
}

const FILES = {
  en: { emoji: englishEmoji, texts: englishTexts },
  zh: { emoji: chineseEmoji, texts: chineseTexts },
} as const;

/**
 * Returns the emoji in a language, from files of this service. In Chinese they are found by their English names, too: many people
 * know those.
 */
export async function resolveEmojiData(locale: string): Promise<EmojiData> {
  const language = locale === 'zh' ? 'zh' : 'en';
  const [emojis, texts, english] = await Promise.all([
    fetchJson<SourceEmoji[]>(FILES[language].emoji),
    fetchJson<SourceTexts>(FILES[language].texts),
    language === 'en' ? [] : fetchJson<SourceEmoji[]>(FILES.en.emoji),
  ]);
  const inEnglish = new Map(english.map((one) => [one.hexcode, one]));
  return {
    locale,
    emojis: emojis.flatMap((one) => {
      if (one.group === undefined || one.version > MAX_VERSION) return [];
      const other = inEnglish.get(one.hexcode);
      const tags = [
        ...(one.tags ?? []),
        ...(other === undefined ? [] : [other.label, ...(other.tags ?? [])]),
      ];
      const { emoji, group, label, version } = one;
      return { emoji, category: group, label, version, tags, skins: skinsOf(one) };
    }),
    categories: texts.groups
      .filter(({ key }) => key !== 'component')
      .map(({ order, message }) => ({ index: order, label: message })),
    skinTones: Object.fromEntries(
      texts.skinTones.map(({ key, message }) => [key, message]),
    ) as EmojiData['skinTones'],
  };
}

/** Returns the variants with one skin tone; undefined if there are none. */
function skinsOf({ skins = [] }: SourceEmoji): EmojiData['emojis'][number]['skins'] {
  const variants = TONES.map((name, index) => [name, skins.find(({ tone }) => tone === index + 1)?.emoji]);
  return variants.every(([, emoji]) => emoji !== undefined)
    ? (Object.fromEntries(variants) as EmojiData['emojis'][number]['skins'])
    : undefined;
}

async function fetchJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as T;
}
