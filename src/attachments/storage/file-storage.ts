import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../rules/byte-range.rules';

/** Headers that a storage which serves files itself must send with one of them. */
export interface ServedAs {
  contentType: string;
  /** `Content-Disposition`; undefined: shown inline. */
  disposition?: string;
}

/**
 * Where the bytes of attachments are stored, under keys of the service's choice. A key is written once and its bytes
 * never change, so copies of the storage need no order. The files of unfinished uploads are in a folder of drafts; those
 * of resumable ones are in a folder below.
 */
export abstract class FileStorage {
  readonly #resumableDrafts: string;

  /**
   * @param drafts folder for unfinished uploads. Every instance must have the same folder, so that another one can
   *   continue a resumable upload.
   */
  constructor(private readonly drafts: string) {
    this.#resumableDrafts = join(drafts, 'resumable');
  }

  /** Returns the path of a new file for an unfinished upload, and creates its folder. */
  async draft(): Promise<string> {
    await createFolder(this.drafts);
    return join(this.drafts, randomUUID());
  }

  /** Returns the path of the file of a resumable upload, and creates its folder. */
  async resumableDraft(id: string): Promise<string> {
    await createFolder(this.#resumableDrafts);
    return join(this.#resumableDrafts, id);
  }

  /**
   * Deletes files of unfinished uploads that were last written before a time, such as those of a killed process.
   * @param before `draft`: that of uploads in one request; `resumable`: that of resumable ones
   */
  async deleteDrafts({ draft, resumable }: { draft: Date; resumable: Date }): Promise<void> {
    await deleteFiles(this.drafts, draft);
    await deleteFiles(this.#resumableDrafts, resumable);
  }

  /**
   * Stores a complete file durably. The caller keeps the file: while a transaction may fail, it is the only copy.
   * @throws if the storage is unavailable or full; nothing may then be stored under the key, or a part of it
   */
  abstract put(key: string, path: string): Promise<void>;

  /**
   * Opens the bytes of a range for one reader.
   * @throws {BusinessError} ATTACHMENT_NOT_FOUND
   */
  abstract open(key: string, range: ByteRange | undefined): Promise<Readable>;

  /** Returns a URL from which clients fetch a file directly; undefined: the service sends the bytes. */
  abstract redirect(key: string, servedAs: ServedAs): Promise<string | undefined>;

  /** Deletes the bytes of a key. Succeeds if there are none. */
  abstract delete(key: string): Promise<void>;
}

const createFolder = async (folder: string): Promise<void> =>
  void (await mkdir(folder, { recursive: true, mode: 0o700 }));

async function deleteFiles(folder: string, before: Date): Promise<void> {
  // The folder is created with the first upload; another instance may delete the same file.
  const names = await readdir(folder).catch(() => []);
  for (const path of names.map((name) => join(folder, name))) {
    const file = await stat(path).catch(() => undefined);
    if (file?.isFile() === true && file.mtime < before) await rm(path, { force: true });
  }
}
