/** The fields of React's keyboard events that are read here. */
interface KeyEvent {
  keyCode: number;
  nativeEvent: { isComposing: boolean };
}

/** `keyCode` of keys that an input method handles. */
const COMPOSING = 229;

/**
 * Whether an input method (Chinese, Japanese, Korean) handles this key. Its Enter selects a word, its Escape cancels it, and
 * its arrow keys choose a candidate. Safari ends the composition before the key event of that Enter, which only `keyCode` identifies.
 */
export const isComposing = ({ keyCode, nativeEvent }: KeyEvent): boolean =>
  nativeEvent.isComposing || keyCode === COMPOSING;
