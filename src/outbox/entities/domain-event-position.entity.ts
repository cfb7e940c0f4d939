import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** A position in the log of domain events. The row is locked while it moves, so one instance at a time moves it. */
@Entity('domain_event_positions', { withoutRowid: true })
export class DomainEventPositionEntity {
  /** `head`, or the name of a consumer. */
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** `head`: the highest assigned position. A consumer: that of the last domain event that it has handled. */
  @BigInteger()
  position!: number;
}
