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
 * never change, so copies of the storage need no order.
 */
export abstract class FileStorage {
  /** Returns the path of a new file for an unfinished upload, and creates its folder. */
  abstract draft(): Promise<string>;

  /**
   * Deletes files of unfinished uploads that were last written before a time, such as those of a killed process.
   * @param before `draft`: that of uploads in one request; `resumable`: that of resumable ones
   */
  abstract deleteDrafts(before: { draft: Date; resumable: Date }): Promise<void>;

  /**
   * Returns the path of the file of a resumable upload, and creates its folder. Every instance must have the same folder,
   * so that another one can continue the upload.
   */
  abstract resumableDraft(id: string): Promise<string>;

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
