/**
 * Storage of unfinished uploads by file, with the methods of `localStorage`, which can be passed as it is. The entries contain
 * ids of drafts, which only their user can continue.
 */
export interface UploadStore {
  getItem(key: string): Promise<string | null> | string | null;
  setItem(key: string, value: string): Promise<void> | void;
  removeItem(key: string): Promise<void> | void;
}

/** Returns a store that ends with the page or program: an upload that failed goes on when the same file is uploaded again. */
export function memoryUploadStore(): UploadStore {
  const drafts = new Map<string, string>();
  return {
    getItem: (key) => drafts.get(key) ?? null,
    setItem: (key, value) => void drafts.set(key, value),
    removeItem: (key) => void drafts.delete(key),
  };
}

/** The draft of one file in a store. A store that is full or denied makes an upload start again, and never fails it. */
export class StoredDraft {
  readonly #store: UploadStore;
  readonly #key: string;

  constructor(store: UploadStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  async find(): Promise<string | undefined> {
    return (await ignoringErrors(() => this.#store.getItem(this.#key))) ?? undefined;
  }

  async keep(id: string): Promise<void> {
    await ignoringErrors(() => this.#store.setItem(this.#key, id));
  }

  async forget(): Promise<void> {
    await ignoringErrors(() => this.#store.removeItem(this.#key));
  }
}

async function ignoringErrors<T>(run: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await run();
  } catch {
    return undefined;
  }
}
