import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../../database/columns';

/** An event of the media provider that has been dealt with: the provider repeats events (contract 3.5). */
@Entity('media_notices')
export class MediaWebhookEventEntity {
  @PrimaryColumn({ type: 'varchar', length: 128 })
  id!: string;

  @Index('ix_media_notices_received')
  @Moment()
  received_at!: Date;
}
