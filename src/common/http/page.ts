/** One page of a list. The three shapes of specification 2.8 differ by endpoint family, so each is a class. */
export abstract class Page {
  /** Length of the whole list. */
  abstract get totalCount(): number;

  /** What is sent along with it. */
  get headers(): Record<string, number> {
    return { 'X-Total-Count': this.totalCount };
  }
}

/** Which slice of a list is wanted: `page` from 1, `per_page` 1 to 100. */
export interface PageRequest {
  page: number;
  per_page: number;
}

const lastPage = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

/** How many rows come before the wanted page. */
export const offsetOf = ({ page, per_page }: PageRequest): number => (page - 1) * per_page;

/** A part of an ordered list. */
export interface Slice {
  offset: number;
  limit: number;
}

/**
 * A slice of a list of `length`, counted from the nearer end: a database passes over all that comes before it.
 * @returns `backwards`: the slice of the list in the opposite order; `limit` 0: it lies beyond the end
 */
export function fromNearerEnd({ offset, limit }: Slice, length: number): Slice & { backwards: boolean } {
  const end = Math.min(offset + limit, length);
  const count = Math.max(0, end - offset);
  const backwards = offset > length - end;
  return { offset: backwards ? length - end : offset, limit: count, backwards };
}

/** The shape of conversations, messages and every list that the specification does not name (contract 1.5). */
export class ItemsPage<T> extends Page {
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
    super();
    const last = lastPage(total, per_page);
    this.pagination = { total, per_page, current_page: page, last_page: last, has_more: page < last };
  }

  get totalCount(): number {
    return this.pagination.total;
  }
}

/** The shape of the device-group list: `items` and `pagination` with `total_pages`. */
export class GroupsPage<T> extends Page {
  readonly pagination: { current_page: number; per_page: number; total: number; total_pages: number };

  constructor(
    readonly items: T[],
    total: number,
    { page, per_page }: PageRequest,
  ) {
    super();
    this.pagination = { current_page: page, per_page, total, total_pages: lastPage(total, per_page) };
  }

  get totalCount(): number {
    return this.pagination.total;
  }
}

/** The shape of the notification list: `list` beside its four numbers. */
export class ListPage<T> extends Page {
  readonly per_page: number;
  readonly current_page: number;
  readonly last_page: number;

  constructor(
    readonly list: T[],
    readonly total: number,
    { page, per_page }: PageRequest,
  ) {
    super();
    this.per_page = per_page;
    this.current_page = page;
    this.last_page = lastPage(total, per_page);
  }

  get totalCount(): number {
    return this.total;
  }
}
