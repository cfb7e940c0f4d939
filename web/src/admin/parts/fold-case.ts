/**
 * Folds case as the service does when it compares names and accounts (src/common/fold-case.ts): in every script, and
 * keeping accents.
 */
export function foldCase(text: string): string {
  // Lower case first: only this converts the capital ẞ to ß, whose upper case is SS.
  const lower = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').normalize('NFC');
}
