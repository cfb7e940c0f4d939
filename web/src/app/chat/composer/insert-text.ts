/** Marks around the selection by the key that is pressed with Ctrl or Cmd. */
const MARKS: Partial<Record<string, string>> = { b: '**', i: '*', e: '`' };

export interface Insertion {
  text: string;
  /** Selection after the change. */
  start: number;
  end: number;
}

type Selection = Pick<HTMLTextAreaElement, 'value' | 'selectionStart' | 'selectionEnd'>;

/** Replaces the selection of a text box by a text, and returns the result with the caret behind it. */
export function insertText({ value, selectionStart, selectionEnd }: Selection, inserted: string): Insertion {
  const caret = selectionStart + inserted.length;
  return {
    text: value.slice(0, selectionStart) + inserted + value.slice(selectionEnd),
    start: caret,
    end: caret,
  };
}

/** Puts the marks of a key around the selection; undefined if the key has none. */
export function wrapSelection(
  { value, selectionStart: start, selectionEnd: end }: Selection,
  key: string,
): Insertion | undefined {
  const mark = MARKS[key];
  if (mark === undefined) return undefined;
  const text = `${value.slice(0, start)}${mark}${value.slice(start, end)}${mark}${value.slice(end)}`;
  return { text, start: start + mark.length, end: end + mark.length };
}
