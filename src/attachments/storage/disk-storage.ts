import { createReadStream, open as openFile } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { BusinessError } from '../../common/errors/business-error';
import { counted } from '../../common/streamed-buffers';
import type { ByteRange } from '../rules/byte-range.rules';
import { FileStorage } from './file-storage';

/** Returns a file descriptor, whose streams need fewer promises than those of a `FileHandle`. */
const openDescriptor = promisify(openFile);

/**
 * Stores files in a folder of this machine, or of a file system that all instances share: `ab/abcd…`, by the first two
 * characters of the key, so that no folder gets too large.
 */
export class DiskStorage extends FileStorage {
  constructor(private readonly folder: string) {
    // In the same file system, so that a finished upload is linked and not copied.
    super(join(folder, 'drafts'));
  }

  /** The file and the folder are synchronised: the response promises that the bytes survive a power failure. */
  override async put(key: string, path: string): Promise<void> {
    const target = this.#pathOf(key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const stored = `${path}.stored`;
    // Some file systems have no hard links.
    await link(path, stored).catch(() => copyFile(path, stored));
    await synchronise(stored);
    await rename(stored, target);
    await synchronise(dirname(target));
  }

  override async open(key: string, range: ByteRange | undefined): Promise<Readable> {
    try {
      const path = this.#pathOf(key);
      const fd = await openDescriptor(path, 'r');
      return counted(createReadStream(path, { fd, ...(range && { start: range.from, end: range.to }) }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BusinessError('ATTACHMENT_NOT_FOUND');
      throw error;
    }
  }

  override redirect(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  #pathOf(key: string): string {
    return join(this.folder, key.slice(0, 2), key);
  }
}

async function synchronise(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
