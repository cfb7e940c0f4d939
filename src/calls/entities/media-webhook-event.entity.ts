import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../database/columns';

/**
 * A processed event of the media provider, stored because the provider may repeat it (API 6.2). The table is named
 * `media_notices`.
 */
@Entity('media_notices')
export class MediaWebhookEventEntity {
  @PrimaryColumn({ type: 'varchar', length: 128 })
  id!: string;

  @Index('ix_media_notices_received')
  @TimestampColumn()
  received_at!: Date;
}
