/** Number and size of files. */
export class FileSumResponse {
  /**
   * Number of files.
   * @example 120
   */
  files!: number;
  /**
   * Their size in bytes, with the thumbnails of pictures.
   * @example 48128000
   */
  bytes!: number;
}

/** Uploaded files by the type of their message. */
export class FilesByTypeResponse {
  /** Pictures. */
  image!: FileSumResponse;
  /** Voice messages and other recordings. */
  audio!: FileSumResponse;
  /** Videos. */
  video!: FileSumResponse;
  /** Files of any kind. */
  file!: FileSumResponse;
}

/** Uploaded files that are stored; the sums may be up to a minute old. */
export class StorageResponse {
  /** All files: those that count towards the quotas of users. */
  total!: FileSumResponse;
  /**
   * All files by type.
   * @example { "image": { "files": 100, "bytes": 8128000 }, "audio": { "files": 12, "bytes": 1000000 }, "video": { "files": 3, "bytes": 38000000 }, "file": { "files": 5, "bytes": 1000000 } }
   */
  by_type!: FilesByTypeResponse;
  /** Files of the last 24 hours that are still stored. */
  last_24_hours!: FileSumResponse;
  /** Files of the last 7 days that are still stored. */
  last_7_days!: FileSumResponse;
  /** Files of the last 30 days that are still stored. */
  last_30_days!: FileSumResponse;
  /** Files in no message and no picture. They are deleted unless they are sent within 24 hours. */
  unsent!: FileSumResponse;
  /** Files that are being deleted; a number that does not fall means that the storage does not delete them. */
  deleting!: FileSumResponse;
  /** Resumable uploads that are not complete, with the bytes that have arrived; not part of `total`. */
  incomplete!: FileSumResponse;
}
