/**
 * Copies a text that stands selected in a field. Pages over plain http have no clipboard: then what is selected is copied the old
 * way. Answers whether it was copied.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    await clipboard?.writeText(text);
    if (clipboard !== undefined) return true;
  } catch {
    // Not allowed: the old way.
  }
  return document.execCommand('copy');
}
