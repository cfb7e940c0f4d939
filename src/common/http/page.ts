/** One page of a list. There are three shapes, by family of endpoints, and each has a class (API 1.6). */
export abstract class PageResponse {
  readonly #total: number;

  constructor(total: number) {
    this.#total = total;
  }

  /** Length of the whole list. */
  get totalCount(): number {
    return this.#total;
  }

  /** Headers of the response. */
  get headers(): Record<string, number> {
    return { 'X-Total-Count': this.totalCount };
  }
}

/** The requested page: `page` from 1, `per_page` 1 to 100. */
export interface PageRequest {
  page: number;
  per_page: number;
}

const lastPage = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

/** Returns the number of rows before the requested page. */
export const offsetOf = ({ page, per_page }: PageRequest): number => (page - 1) * per_page;

/** A part of an ordered list. */
export interface Slice {
  offset: number;
  limit: number;
}

/**
 * Converts a slice of a list of `length` to one with the smaller offset, because a database reads all rows before the
 * offset.
 * @returns `backwards`: the offset is counted from the end, and the list must be read in the opposite order; `limit` 0:
 *   the slice lies beyond the end
 */
export function fromNearerEnd({ offset, limit }: Slice, length: number): Slice & { backwards: boolean } {
  const end = Math.min(offset + limit, length);
  const count = Math.max(0, end - offset);
  const backwards = offset > length - end;
  return { offset: backwards ? length - end : offset, limit: count, backwards };
}

/** Shape of conversations, messages and all lists without a shape of their own (API 1.6). */
export class ItemsPage<T> extends PageResponse {
  readonly pagination: {
    total: number;
    per_page: number;
    current_page: number;
    last_page: number;
    has_more: boolean;
  };

  constructor(
    readonly items: T[],
    total: number,
    { page, per_page }: PageRequest,
  ) {
    super(total);
    const last = lastPage(total, per_page);
    this.pagination = { total, per_page, current_page: page, last_page: last, has_more: page < last };
  }
}

/** Shape of the device-group list: `items` and `pagination` with `total_pages`. */
export class GroupsPage<T> extends PageResponse {
  readonly pagination: { current_page: number; per_page: number; total: number; total_pages: number };

  constructor(
    readonly items: T[],
    total: number,
    { page, per_page }: PageRequest,
  ) {
    super(total);
    this.pagination = { current_page: page, per_page, total, total_pages: lastPage(total, per_page) };
  }
}

/** Shape of the notification list: `list` and four numbers in one object. */
export class ListPage<T> extends PageResponse {
  readonly per_page: number;
  readonly current_page: number;
  readonly last_page: number;

  constructor(
    readonly list: T[],
    readonly total: number,
    { page, per_page }: PageRequest,
  ) {
    super(total);
    this.per_page = per_page;
    this.current_page = page;
    this.last_page = lastPage(total, per_page);
  }
}
