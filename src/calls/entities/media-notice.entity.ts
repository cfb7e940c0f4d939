import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../../database/columns';

/** A notice of the media provider that has been dealt with: the provider repeats notices (contract 3.5). */
@Entity('media_notices')
export class MediaNoticeEntity {
  @PrimaryColumn({ type: 'varchar', length: 128 })
  id!: string;

  @Index('ix_media_notices_received')
  @Moment()
  received_at!: Date;
}
