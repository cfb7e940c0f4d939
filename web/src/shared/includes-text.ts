/**
 * Whether `text` contains `part`, regardless of case. Lists that an Enter or a Tab picks from show only such results until the
 * search for the new text has finished, because they still show those of the text before.
 */
export const includesText = (text: string, part: string): boolean =>
  text.toLocaleLowerCase().includes(part.toLocaleLowerCase());
