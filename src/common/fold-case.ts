/**
 * The form in which text is compared without case: two texts are the same when their folded forms are equal.
 * Canonical composition, then upper and lower case by turns: that takes `ß` to `ss`, `ſ` to `s` and all three
 * sigmas to one, as Unicode's full case folding does, and leaves accents, widths and emoji distinct. Folding may
 * make a text up to three times as long, never longer.
 */
export function foldCase(text: string): string {
  // Lower case first: it is the only way from the capital ẞ to ß, whose upper case is SS.
  const lower = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  // Lower case writes a sigma at the end of a word in a form of its own.
  return lower.replaceAll('ς', 'σ').normalize('NFC');
}
