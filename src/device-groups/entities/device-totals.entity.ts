import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** Id of the only row. */
export const THE_TOTALS = 1;

/**
 * Number of online devices, in one row, so that reading it costs the same for any number of devices. A transaction
 * updates the row last, so that others wait for its lock no longer than a commit takes.
 */
@Entity('device_totals')
export class DeviceTotalsEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @BigInteger()
  online!: number;
}
