import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId } from '../../database/columns';
import { DESCRIPTION_LENGTH, NAME_LENGTH, SEARCH_GROWTH } from '../limits';

/** A group of devices, a node of the tree. `path` and `depth` are derived from `parent_id`. */
@Entity('device_groups')
@Index('ix_device_groups_order', ['sort_order', 'id'])
@Index('ix_device_groups_status', ['status', 'sort_order', 'id'])
@Index('ix_device_groups_parent', ['parent_id', 'sort_order', 'id'])
@Index('ix_device_groups_path', ['path'])
export class DeviceGroupEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'varchar', length: NAME_LENGTH })
  name!: string;

  /** Case-folded name for searches (`foldCase`). */
  @Column({ type: 'varchar', length: NAME_LENGTH * SEARCH_GROWTH })
  name_search!: string;

  @Column({ type: 'varchar', length: DESCRIPTION_LENGTH })
  description!: string;

  /** Null for a top-level group. */
  @BigInteger({ nullable: true })
  parent_id!: number | null;

  /** Ids from the root to this group, as `/3/14/15/`; a subtree is a range of the index (`group-path.rules.ts`). */
  @Column({ type: 'varchar', length: 191 })
  path!: string;

  /** Level in the tree: 1 for a top-level group. */
  @Column({ type: 'int' })
  depth!: number;

  @Column({ type: 'int' })
  sort_order!: number;

  /** 1 enabled, 0 disabled. */
  @Column({ type: 'int' })
  status!: number;
}
