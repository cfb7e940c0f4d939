/**
 * Copies the selected text of a field. Pages over plain HTTP have no clipboard API; there the deprecated `execCommand`
 * copies the selection. Returns whether the text was copied.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    await clipboard?.writeText(text);
    if (clipboard !== undefined) return true;
  } catch {
    // Permission denied: fall back to `execCommand`.
  }
  return document.execCommand('copy');
}
