import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of unfinished uploads; those of resumable ones are in a folder below. */
export class DraftFolder {
  readonly #resumable: string;

  constructor(private readonly folder: string) {
    this.#resumable = join(folder, 'resumable');
  }

  /** Returns the path of a new file, and creates the folder. */
  async draft(): Promise<string> {
    await createFolder(this.folder);
    return join(this.folder, randomUUID());
  }

  /** Returns the path of the file of a resumable upload, and creates the folder. */
  async resumable(id: string): Promise<string> {
    await createFolder(this.#resumable);
    return join(this.#resumable, id);
  }

  /** Deletes the files that were last written before a time. */
  async deleteBefore({ draft, resumable }: { draft: Date; resumable: Date }): Promise<void> {
    await deleteFiles(this.folder, draft);
    await deleteFiles(this.#resumable, resumable);
  }
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
