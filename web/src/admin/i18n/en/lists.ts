/** What is said around lists: filters, columns, rows that were chosen. */
export const LISTS = {
  from: 'From day',
  to: 'To day',
  turnedRound: 'The last day is before the first.',
  columns: 'Columns',
  chooseRow: 'Choose {{name}}',
  chooseAll: 'Choose all on this page',
} as const;
