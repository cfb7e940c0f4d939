import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Moment, PrimaryBigInteger } from '../../database/columns';

/**
 * A user has event streams open on an instance, or had. Written when the first opens and when the last closes; who comes
 * back within the grace is not told of as gone.
 */
@Entity('presence_streams', { withoutRowid: true })
@Index('ix_presence_streams_instance', ['instance_id'])
@Index('ix_presence_streams_until', ['until'])
export class PresenceStreamEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 36 })
  instance_id!: string;

  /** When the first of them was opened. */
  @Moment()
  since!: Date;

  /** When the last of them closed; null while one is open, as long as the instance is alive. */
  @Moment({ nullable: true })
  until!: Date | null;
}

/** What others might have to be told of a user, and since when. */
@Entity('presence')
export class PresenceEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /** When the user came, went, hid, or blocked somebody or was blocked: instances that are not told look here. */
  @Index('ix_presence_changed')
  @Moment()
  changed_at!: Date;

  /** The number of that change: two may come within the same millisecond. */
  @Column({ type: 'int' })
  version!: number;

  /** When the last stream closed; null when none ever has. */
  @Index('ix_presence_last_seen')
  @Moment({ nullable: true })
  last_seen_at!: Date | null;
}

/** A running instance on which streams are open. One that does not renew its row is gone, and so are its users. */
@Entity('instances', { withoutRowid: true })
export class InstanceEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  @Index('ix_instances_renewed')
  @Moment()
  renewed_at!: Date;
}
