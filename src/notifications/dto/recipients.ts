import { applyDecorators } from '@nestjs/common';
import { checked } from '../../common/input/checked';
import { Flag, Ids } from '../../common/input/fields';
import type { FixedText } from '../../common/words/words';

interface Recipients {
  user_ids?: unknown;
  broadcast?: unknown;
}

/** A condition on both fields that say who is meant, reported as a problem of one of them. */
const jointly = (problem: FixedText, holds: (recipients: Recipients) => boolean): PropertyDecorator =>
  checked((_, recipients) => (holds(recipients) ? undefined : problem));

const areNamed = ({ user_ids }: Recipients): boolean =>
  user_ids !== undefined && !(Array.isArray(user_ids) && user_ids.length === 0);

/** `user_ids`: whom a notification is for. Nobody named, and no broadcast either: `user_ids 字段不能为空`. */
export const NamedRecipients = (): PropertyDecorator =>
  applyDecorators(
    Ids({ optional: true }),
    jointly(
      '字段不能为空',
      (all) => areNamed(all) || (all.broadcast !== undefined && all.broadcast !== false),
    ),
  );

/** `broadcast`: it is for everyone. Users named as well: `broadcast 取值无效`. */
export const ToEveryone = (): PropertyDecorator =>
  applyDecorators(
    Flag({ optional: true }),
    jointly('取值无效', (all) => all.broadcast !== true || !areNamed(all)),
  );
