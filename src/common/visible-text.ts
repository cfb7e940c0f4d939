/* Invisible characters, and characters that change how other characters are displayed. Pure functions. */

/** Control characters, line breaks (also U+2028, U+2029) and the controls of bidirectional text. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** All invisible characters, including joiners, variation selectors, fillers and the empty Braille pattern. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns the text without control characters, line breaks and bidi controls. */
export const withoutControls = (text: string): string => text.replaceAll(CONTROLS, '');

/** Returns true for a text with a control character, a line break or a bidi control. */
export const hasControls = (text: string): boolean => text.search(CONTROLS) !== -1;

/** Returns true for a text without visible characters. */
export const isInvisible = (text: string): boolean => text.replaceAll(INVISIBLE, '') === '';
