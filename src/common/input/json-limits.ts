/* Limits on the content of JSON, in addition to its length. Pure functions. */

/**
 * Maximum number of tokens. Each key and each value counts as one; an object or array counts in addition to its
 * content.
 */
export const MAX_JSON_TOKENS = 20_000;
/** Maximum nesting of objects and arrays, including the outermost one. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** The highest byte that is skipped as white space. Control characters among these are rejected by the parser. */
const LAST_BLANK = 0x20;

/**
 * Returns the limit that a JSON text exceeds; undefined if none. Makes one pass over the bytes, which takes 1 to 2 ms
 * for 1 MiB; for some texts, parsing and traversing the result would take a thousand times as long. Does not detect
 * malformed JSON, which the parser does.
 */
export function exceededJsonLimit(json: Uint8Array): 'tokens' | 'depth' | undefined {
  let tokens = 0;
  let depth = 0;
  let isInLiteral = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    const wasInLiteral = isInLiteral;
    isInLiteral = false;
    if (byte === QUOTE) {
      tokens += 1;
      at = endOfString(json, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      tokens += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return 'depth';
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
    } else if (byte !== COMMA && byte !== COLON && byte > LAST_BLANK) {
      // A number, true, false or null.
      if (!wasInLiteral) tokens += 1;
      isInLiteral = true;
    }
    if (tokens > MAX_JSON_TOKENS) return 'tokens';
  }
  return undefined;
}

/**
 * Returns the index of the closing quote of the string that begins at `start`, or an index at or after the end of the
 * bytes.
 */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
