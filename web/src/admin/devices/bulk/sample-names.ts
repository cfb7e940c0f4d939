import type { DeviceResponse } from '@callboard/client';
import type { SelectedRows } from '../../parts/tables/row-selection';

const MAX_NAMES = 5;

/** The first names of a selection, for a confirmation dialog, and the number of remaining ones. */
export const sampleNames = (selected: SelectedRows<DeviceResponse>): { names: string; more: number } => ({
  names: [...selected.values()]
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
    .join(', '),
  more: Math.max(0, selected.size - MAX_NAMES),
});
