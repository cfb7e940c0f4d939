/** Keeps a text in the browser's storage, where there is room for it; without, this page goes on without remembering it. */
export function keepItem(storage: Storage, name: string, text: string): void {
  try {
    storage.setItem(name, text);
  } catch {
    // Full: what others of this origin keep may be megabytes.
  }
}
