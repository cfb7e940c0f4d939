import Negotiator from 'negotiator';

/** Languages of the messages. */
export type Language = 'zh-CN' | 'en';

/** Languages by primary subtag, also for regional tags such as `zh-Hant` and `en-GB`. */
const BY_SUBTAG = new Map<string, Language>([
  ['zh', 'zh-CN'],
  ['en', 'en'],
]);

/** Returns the supported language that `Accept-Language` prefers (RFC 9110, 12.5.4); Chinese if there is none. Pure. */
export function preferredLanguage(header = ''): Language {
  const tags = new Negotiator({ headers: { 'accept-language': header } }).languages();
  const languages = tags.map((tag) => BY_SUBTAG.get(tag.toLowerCase().split('-')[0] ?? ''));
  return languages.find((language) => language !== undefined) ?? 'zh-CN';
}
