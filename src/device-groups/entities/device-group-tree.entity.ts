import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** The row of the tree of groups. */
export const THE_TREE = 1;
/** The row of which devices are in which groups. */
export const THE_MEMBERSHIPS = 2;

/**
 * The tree of groups as a whole, in one row. Every change to a group raises `version` first: changes thereby take
 * turns on this row, and whoever keeps something made from the tree knows by the version whether it still holds. A second
 * row says the same of the devices in the groups; whoever puts some in or takes some out raises it last, so that nobody
 * waits for it longer than a commit takes.
 */
@Entity('device_group_tree')
export class DeviceGroupTreeEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @BigInteger()
  version!: number;
}
