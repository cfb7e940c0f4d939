import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** A user's choice for one type of notifications, or for `message`. The user has a row in `preferences`. */
@Entity('preference_types', { withoutRowid: true })
export class PreferenceTypeEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 50 })
  type!: string;

  /** false: notifications of the type do not enter the inbox. */
  @Column({ type: 'boolean' })
  in_app!: boolean;

  @Column({ type: 'boolean' })
  push!: boolean;
}
