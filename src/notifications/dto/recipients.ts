import { applyDecorators } from '@nestjs/common';
import { ROLES } from '../../common/auth/principal';
import { checked } from '../../common/input/checked';
import { Flag, Ids, OneOf } from '../../common/input/fields';
import type { MessageKey } from '../../common/i18n/catalogue';

interface Recipients {
  user_ids?: unknown;
  broadcast?: unknown;
  role?: unknown;
}

/** A condition on the recipient fields together, reported as a problem of the decorated field. */
const jointly = (problem: MessageKey, holds: (recipients: Recipients) => boolean): PropertyDecorator =>
  checked((_, recipients) => (holds(recipients) ? undefined : problem));

const areNamed = ({ user_ids }: Recipients): boolean =>
  user_ids !== undefined && !(Array.isArray(user_ids) && user_ids.length === 0);

/** `user_ids`: the recipients. Without named users, broadcast and role: `user_ids 字段不能为空`. */
export const NamedRecipients = (): PropertyDecorator =>
  applyDecorators(
    Ids({ optional: true }),
    jointly(
      'required',
      (all) =>
        areNamed(all) || (all.broadcast !== undefined && all.broadcast !== false) || all.role !== undefined,
    ),
  );

/** `broadcast`: to all users. Together with named users: `broadcast 取值无效`. */
export const ToEveryone = (): PropertyDecorator =>
  applyDecorators(
    Flag({ optional: true }),
    jointly('invalid', (all) => all.broadcast !== true || !areNamed(all)),
  );

/** `role`: to all users with a stored role. Together with named users or a broadcast: `role 取值无效`. */
export const ToRole = (): PropertyDecorator =>
  applyDecorators(
    OneOf(ROLES, { optional: true }),
    jointly('invalid', (all) => all.role === undefined || (all.broadcast !== true && !areNamed(all))),
  );
