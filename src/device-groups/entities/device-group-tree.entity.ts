import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** The id of the one row. */
export const THE_TREE = 1;

/**
 * The tree of groups as a whole, in one row. Every change to a group raises `version` first: changes thereby take
 * turns on this row, and whoever keeps something made from the tree knows by the version whether it still holds.
 */
@Entity('device_group_tree')
export class DeviceGroupTreeEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @BigInteger()
  version!: number;
}
