import { Entity } from 'typeorm';
import type { UserId } from '../../common/ids';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** Size of the files of a user. */
@Entity('attachment_usage', { withoutRowid: true })
export class AttachmentUsageEntity {
  @PrimaryBigInteger()
  user_id!: UserId;

  @BigInteger()
  bytes!: number;
}
