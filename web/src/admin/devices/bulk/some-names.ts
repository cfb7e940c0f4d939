import type { DeviceResponse } from '@callboard/client';
import type { Chosen } from '../../parts/tables/chosen-rows';

const SHOWN = 5;

/** The first names of a selection, for a confirmation dialog, and the number of remaining ones. */
export const someNames = (chosen: Chosen<DeviceResponse>): { names: string; more: number } => ({
  names: [...chosen.values()]
    .slice(0, SHOWN)
    .map(({ name }) => name)
    .join(', '),
  more: Math.max(0, chosen.size - SHOWN),
});
