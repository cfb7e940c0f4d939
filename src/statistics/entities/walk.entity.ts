import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, TimestampColumn } from '../../database/columns';

/**
 * A checkpoint: how far rows have been counted. The row is locked while the position is advanced, which makes counting
 * correct; the lease only saves other instances the work.
 */
@Entity('stats_walks', { withoutRowid: true })
export class WalkEntity {
  /** The metric that is counted, `recount.` and the name of a recount, or the lease of the rollup job. */
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** All rows up to this one are counted. For a recount: how often it has written corrections. */
  @BigInteger()
  position!: number;

  /** The instance that last acquired the lease; null if none ever has. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;

  /** End of the lease, when another instance may acquire it; null without a lease. */
  @TimestampColumn({ nullable: true })
  lease_until!: Date | null;
}
