/** Texts of lists: filters, columns, selected rows. */
export const LISTS = {
  from: 'From',
  to: 'To',
  rangeReversed: 'The end date is before the start date.',
  columns: 'Columns',
  chooseRow: 'Select {{name}}',
  chooseAll: 'Select all on this page',
} as const;
