import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of unfinished uploads. */
export class DraftFolder {
  constructor(private readonly folder: string) {}

  /** Returns the path of a new file, and creates the folder. */
  async draft(): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return join(this.folder, randomUUID());
  }

  /** Deletes the files that were last written before a time. */
  async deleteBefore(before: Date): Promise<void> {
    // The folder is created with the first upload; another instance may delete the same file.
    const names = await readdir(this.folder).catch(() => []);
    for (const path of names.map((name) => join(this.folder, name))) {
      const written = await stat(path).catch(() => undefined);
      if (written !== undefined && written.mtime < before) await rm(path, { force: true });
    }
  }
}
