import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, Moment } from '../../database/columns';

/** How far something has been counted. Who moves the position holds the row; the lease only spares the others the trouble. */
@Entity('stats_walks', { withoutRowid: true })
export class WalkEntity {
  /** What is counted; of recounts, which. */
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** All up to here is counted; of a recount, how often it has mended something. */
  @BigInteger()
  position!: number;

  /** The instance that counts; null when none ever has. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;

  /** When another instance may take over. */
  @Moment({ nullable: true })
  lease_until!: Date | null;
}
