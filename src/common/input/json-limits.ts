/* How much JSON may hold, whatever its length. Pure. */

/** Each key and each value counts one, an object or array besides what it holds. */
export const MAX_JSON_TOKENS = 20_000;
/** How many objects and arrays may be in one another, the outermost included. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Control characters and the blank; what else they are, the parser says. */
const LAST_BLANK = 0x20;

/**
 * Which limit the bytes of a JSON text exceed, if any. One pass over bytes, a millisecond or two for 1 MiB, because a
 * parser and whoever walks through what it built take a thousand times as long over some texts. Of what is no JSON it
 * says nothing: that is the parser's to find.
 */
export function exceededJsonLimit(json: Uint8Array): 'tokens' | 'depth' | undefined {
  let tokens = 0;
  let depth = 0;
  let isInWord = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    const wasInWord = isInWord;
    isInWord = false;
    if (byte === QUOTE) {
      tokens += 1;
      at = endOfText(json, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      tokens += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return 'depth';
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
    } else if (byte !== COMMA && byte !== COLON && byte > LAST_BLANK) {
      // A number, true, false or null.
      if (!wasInWord) tokens += 1;
      isInWord = true;
    }
    if (tokens > MAX_JSON_TOKENS) return 'tokens';
  }
  return undefined;
}

/** Where the text that begins at `start` has its closing quote, or the end of the bytes. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
