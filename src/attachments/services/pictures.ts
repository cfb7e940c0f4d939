import { stat } from 'node:fs/promises';
import type { ResizeOptions, Sharp, SharpOptions } from 'sharp';
import pLimit from 'p-limit';
import { BusinessError, invalidField } from '../../common/errors/business-error';

/** Maximum number of pixels of an uploaded picture, all frames of an animation together. */
const MAX_PIXELS = 50_000_000;
/** Maximum width and height of a stored picture. */
const MAX_SIDE = 4_096;
const THUMBNAIL_SIDE = 480;
const AVATAR_SIDE = 256;
const PREVIEW_SIDE = 32;
const MAX_PREVIEW_BYTES = 1_024;
/** Falling qualities at which a preview is tried to be small enough. */
const PREVIEW_QUALITIES = [40, 20, 1];
/** Pictures that are converted concurrently. Each needs a thread of libuv's four, and up to 200 MB. */
const CONCURRENCY = 2;

/** Operations of libvips that read files: only those of the accepted formats. */
const LOADERS = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'];

/** Options with which every picture is read, those that the service has made too. */
const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true };

/** A converted picture. */
export interface ConvertedPicture {
  width: number;
  height: number;
  /** A data URL; undefined if no preview is small enough. */
  preview: string | undefined;
}

const limit = pLimit(CONCURRENCY);

type OpenPicture = (path: string, options?: SharpOptions) => Sharp;
let loaded: Promise<OpenPicture> | undefined;

/** Loads libvips when the first picture arrives: it takes 20 MB of memory. */
const loadSharp = (): Promise<OpenPicture> =>
  (loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    return sharp;
  }));

/**
 * Converts an uploaded picture to the same format: upright, at most 4,096 pixels a side, animations kept. Only pixels
 * survive: neither metadata such as the place of a photo, nor bytes that another program would read as something else.
 * @param source path of the picture
 * @param targets paths to write the picture and its thumbnail (WebP) to
 * @throws {BusinessError} VALIDATION if it is not a valid picture or has more than 50 megapixels; UNAVAILABLE if the
 *   disk is full
 */
export function convertPicture(
  source: string,
  targets: { picture: string; thumbnail: string },
): Promise<ConvertedPicture> {
  return limit(async () => {
    const open = await loadSharp();
    try {
      const { format, pages = 1 } = await open(source, OPTIONS).metadata();
      const isAnimated = pages > 1;
      const picture = open(source, { ...OPTIONS, animated: isAnimated, autoOrient: !isAnimated });
      const info = await picture.resize(within(MAX_SIDE)).toFormat(format).toFile(targets.picture);
      const thumbnail = open(targets.picture, OPTIONS).resize(within(THUMBNAIL_SIDE));
      await thumbnail.webp({ quality: 80 }).toFile(targets.thumbnail);
      return {
        width: info.width,
        height: info.pageHeight ?? info.height,
        preview: await previewOf(open, targets.thumbnail),
      };
    } catch (error) {
      throw isWriteError(error)
        ? new BusinessError('UNAVAILABLE', { cause: error })
        : invalidField('file', 'invalid');
    }
  });
}

/** Returns options that fit a picture into a square and never enlarge it. */
const within = (side: number): ResizeOptions => ({
  width: side,
  height: side,
  fit: 'inside',
  withoutEnlargement: true,
});

/** libvips reports a full disk only by its message. */
const isWriteError = (error: unknown): boolean =>
  /no space left|unable to write|write error|ENOSPC|EDQUOT/i.test(String(error));

/** Makes a WebP of 256 × 256 pixels of a converted picture: its centre, and the first frame of an animation. */
export function makeAvatar(source: string, target: string): Promise<void> {
  return limit(async () => {
    const open = await loadSharp();
    const size = { width: AVATAR_SIDE, height: AVATAR_SIDE, fit: 'cover' } as const;
    await open(source, OPTIONS).resize(size).webp({ quality: 80 }).toFile(target);
  });
}

async function previewOf(open: OpenPicture, thumbnail: string): Promise<string | undefined> {
  for (const quality of PREVIEW_QUALITIES) {
    const bytes = await open(thumbnail, OPTIONS)
      .resize(within(PREVIEW_SIDE))
      .webp({ quality, alphaQuality: quality })
      .toBuffer();
    if (bytes.length <= MAX_PREVIEW_BYTES) return `data:image/webp;base64,${bytes.toString('base64')}`;
  }
  return undefined;
}

/** Returns the size of a file in bytes. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;
