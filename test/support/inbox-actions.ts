import { constant, constantFrom, integer, nat, oneof, option, record, subarray } from 'fast-check';

/** Types of the notifications of random histories. */
export const TYPES = ['a', 'b', '__proto__'];
/** The last position of each person's inbox before the first notification: some are at the end of a block of the map. */
export const STARTS = [0, 20, 1_000, 1_023, 4_080, 131_060];

const maybe = <T>(values: T[]) => option(constantFrom(...values), { nil: undefined });
const filter = { type: maybe(TYPES), is_read: maybe([0, 1]), archived: maybe([0, 1]) };
const key = maybe(['k1', 'k2', 'k3']);
const anybody = nat(STARTS.length - 1);
const one = { user: anybody, index: nat(200) };

/** A random operation on inboxes. */
export const inboxAction = oneof(
  {
    weight: 4,
    arbitrary: record({
      do: constant('notify' as const),
      users: subarray([...STARTS.keys()], { minLength: 1 }),
      count: integer({ min: 1, max: 20 }),
      type: constantFrom(...TYPES),
      key,
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      do: constant('broadcast' as const),
      type: constantFrom(...TYPES),
      key,
      role: maybe(['user', 'admin']),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      do: constant('announce' as const),
      users: subarray([...STARTS.keys()], { minLength: 2 }),
      type: constantFrom(...TYPES),
      key,
    }),
  },
  { weight: 2, arbitrary: record({ do: constant('recall' as const), index: nat(3) }) },
  { weight: 1, arbitrary: record({ do: constant('change role' as const), user: anybody }) },
  { weight: 4, arbitrary: record({ do: constant('read' as const), ...one }) },
  { weight: 2, arbitrary: record({ do: constant('unread' as const), ...one }) },
  { weight: 4, arbitrary: record({ do: constant('delete' as const), ...one }) },
  { weight: 3, arbitrary: record({ do: constant('archive' as const), ...one }) },
  { weight: 2, arbitrary: record({ do: constant('restore' as const), ...one }) },
  { weight: 2, arbitrary: record({ do: constant('snooze' as const), ...one }) },
  { weight: 1, arbitrary: record({ do: constant('end snoozes' as const) }) },
  { weight: 2, arbitrary: record({ do: constant('read all' as const), user: anybody, type: maybe(TYPES) }) },
  {
    weight: 3,
    arbitrary: record({
      do: constant('list' as const),
      user: anybody,
      filter: record(filter),
      page: integer({ min: 1, max: 6 }),
      per_page: integer({ min: 1, max: 40 }),
    }),
  },
);
