import { isInvisible, withoutControls } from '../../common/visible-text';

/** Maximum length of a name, in characters. */
export const MAX_FILE_NAME = 255;
const FALLBACK = 'file';

/**
 * Returns the name under which a file is shown: the last segment of the path, without control and bidi characters, at
 * most 255 characters; `file` if nothing is left. Names are never used as paths.
 */
export function safeFileName(given: string | undefined): string {
  const segment = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const shown = withoutControls(segment.toWellFormed()).trim();
  if (isInvisible(shown) || /^\.+$/.test(shown)) return FALLBACK;
  return Array.from(shown).slice(0, MAX_FILE_NAME).join('');
}

/** Returns the `Content-Disposition` with which a browser saves a file under its name, instead of showing it. */
export function attachmentDisposition(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
