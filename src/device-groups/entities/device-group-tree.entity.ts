import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** Id of the row with the version of the group tree. */
export const THE_TREE = 1;
/** Id of the row with the version of the memberships. */
export const THE_MEMBERSHIPS = 2;

/**
 * Versions of the group tree and of the memberships, one row each, by which caches detect changes. Every change to a
 * group first raises the version of the tree; the lock of the row serialises these changes. A change of memberships
 * raises their version last, so that other transactions wait for the lock no longer than a commit takes.
 */
@Entity('device_group_tree')
export class DeviceGroupTreeEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @BigInteger()
  version!: number;
}
