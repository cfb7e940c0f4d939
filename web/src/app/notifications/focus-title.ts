/** Focuses the title of a row. Returns false if there is no such row. */
export function focusTitle(row: Element | null | undefined): boolean {
  const title = row?.querySelector<HTMLElement>('.notification-title');
  title?.focus();
  return title !== undefined && title !== null;
}
