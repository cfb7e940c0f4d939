import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** The only row. */
export const THE_TOTALS = 1;

/**
 * How many devices are online, in one row, so that telling it costs the same however many there are. Whoever changes it
 * does so last, that nobody waits for the row longer than a commit takes.
 */
@Entity('device_totals')
export class DeviceTotalsEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @BigInteger()
  online!: number;
}
