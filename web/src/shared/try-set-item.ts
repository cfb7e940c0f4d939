/** Stores a text in the browser's storage. If the storage is full, the text is not stored and the page continues. */
export function trySetItem(storage: Storage, name: string, text: string): void {
  try {
    storage.setItem(name, text);
  } catch {
    // The storage is full: other pages of this origin may store megabytes.
  }
}
