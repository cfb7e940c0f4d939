import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/**
 * The event streams of a user on an instance. Written when the first one opens and when the last one closes. A user who
 * reconnects within the grace period is not reported as offline.
 */
@Entity('presence_streams', { withoutRowid: true })
@Index('ix_presence_streams_instance', ['instance_id'])
@Index('ix_presence_streams_until', ['until'])
export class PresenceStreamEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 36 })
  instance_id!: string;

  /** When the first open stream was opened. */
  @TimestampColumn()
  since!: Date;

  /** When the last stream closed; null while one is open, which counts only as long as the instance is alive. */
  @TimestampColumn({ nullable: true })
  until!: Date | null;
}

/** Presence changes of a user, and when the user was last seen. */
@Entity('presence')
export class PresenceEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /**
   * When the user went online or offline, changed visibility, or blocked or was blocked. Instances poll this column for
   * changes whose signal did not arrive.
   */
  @Index('ix_presence_changed')
  @TimestampColumn()
  changed_at!: Date;

  /** Number of the change: two changes may occur within the same millisecond. */
  @Column({ type: 'int' })
  version!: number;

  /** When the last stream closed; null if the user never had one. */
  @Index('ix_presence_last_seen')
  @TimestampColumn({ nullable: true })
  last_seen_at!: Date | null;
}

/**
 * A running instance with open streams. An instance that does not renew its row counts as dead, and its users as
 * offline.
 */
@Entity('instances', { withoutRowid: true })
export class InstanceEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  @Index('ix_instances_renewed')
  @TimestampColumn()
  renewed_at!: Date;
}
