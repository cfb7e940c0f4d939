import { blockStartOf, InboxBlock, type PositionState } from './inbox-block.rules';

const NO_EPOCH = new Map<number, number>();
const state = (seq: number, code: number, isUnread = false): PositionState => ({ seq, code, isUnread });
const block = (...states: PositionState[]) => InboxBlock.empty(1_024).change(states, 5, NO_EPOCH);

describe('InboxBlock', () => {
  it.each([
    [1, 0],
    [1_023, 0],
    [1_024, 1_024],
    [2 ** 40 + 1_030, 2 ** 40 + 1_024],
  ])('of position %i starts at %i', (seq, start) => {
    expect(blockStartOf(seq)).toBe(start);
  });

  it('stores a byte per position up to the last notification, and a bit per position up to the last unread one', () => {
    expect(block(state(1_026, 7, true), state(1_033, 255)).toStored()).toEqual({
      start: 1_024,
      version: 5,
      width: 1,
      types: Uint8Array.of(0, 0, 7, 0, 0, 0, 0, 0, 0, 255),
      unread: Uint8Array.of(0b100),
      archived: null,
    });
  });

  it('stores four bytes per position while a code exceeds 255', () => {
    const wide = block(state(1_024, 1), state(1_025, 0x01_02_03));
    expect(wide.toStored()).toMatchObject({ width: 4, types: Uint8Array.of(1, 0, 0, 0, 3, 2, 1, 0) });
    const parsed = InboxBlock.parse(wide.toStored());
    expect([parsed.codeAt(1_024), parsed.codeAt(1_025)]).toEqual([1, 0x01_02_03]);
    expect(parsed.change([state(1_025, 0)], 6, NO_EPOCH).toStored()).toMatchObject({ width: 1 });
  });

  it('keeps the last position of the block', () => {
    const parsed = InboxBlock.parse(block(state(2_047, 3, true)).toStored());
    expect([parsed.codeAt(2_047), parsed.isUnreadAt(2_047, 0), parsed.end]).toEqual([3, true, 2_048]);
  });

  it('does not keep the buffers of the driver', () => {
    const stored = block(state(1_024, 1, true)).toStored();
    const parsed = InboxBlock.parse(stored);
    stored.types.fill(9);
    stored.unread.fill(0);
    expect([parsed.codeAt(1_024), parsed.isUnreadAt(1_024, 0)]).toEqual([1, true]);
  });

  it('counts the notifications of each code', () => {
    const counted = block(state(1_024, 1, true), state(1_025, 300), state(1_030, 1));
    expect([...counted.counts]).toEqual([
      [1, { total: 2, unread: 1, archived: 0, archived_unread: 0 }],
      [300, { total: 1, unread: 0, archived: 0, archived_unread: 0 }],
    ]);
  });

  it('counts archived notifications, and stores a bit per position up to the last one', () => {
    const archived = block(
      state(1_024, 1, true),
      { ...state(1_025, 1, true), isArchived: true },
      { ...state(1_033, 1), isArchived: true },
    );
    expect([...archived.counts]).toEqual([[1, { total: 3, unread: 1, archived: 2, archived_unread: 1 }]]);
    expect(archived.toStored().archived).toEqual(Uint8Array.of(0b10, 0b10));
    const parsed = InboxBlock.parse(archived.toStored());
    expect([1_024, 1_025, 1_033].map((seq) => parsed.isArchivedAt(seq))).toEqual([false, true, true]);
  });

  it('forgets that a notification was archived when it is deleted', () => {
    const archived = block(state(1_024, 1), { ...state(1_025, 1), isArchived: true });
    const changed = archived.change([state(1_025, 0)], 6, NO_EPOCH);
    expect([changed.isArchivedAt(1_025), changed.toStored().archived]).toEqual([false, null]);
  });

  it('keeps the archived notifications of a block that changes elsewhere', () => {
    const archived = block({ ...state(1_025, 1, true), isArchived: true });
    const changed = archived.change([state(1_030, 2)], 6, NO_EPOCH);
    expect([changed.isArchivedAt(1_025), changed.isArchivedAt(1_030)]).toEqual([true, false]);
  });

  it('has no unread notification of a type that was marked read at its version or later', () => {
    const written = block(state(1_024, 1, true));
    expect([4, 5, 6].map((epoch) => written.isUnreadAt(1_024, epoch))).toEqual([true, false, false]);
  });

  it('clears the unread bits of such types when it is written again', () => {
    const written = block(state(1_024, 1, true), state(1_025, 2, true));
    const changed = written.change([state(1_026, 1, true)], 9, new Map([[1, 7]]));
    expect([1_024, 1_025, 1_026].map((seq) => changed.isUnreadAt(seq, 7))).toEqual([false, true, true]);
  });

  it('is empty without notifications', () => {
    expect(
      block(state(1_024, 1, true))
        .change([state(1_024, 0, true)], 6, NO_EPOCH)
        .toStored(),
    ).toEqual({
      archived: null,
      start: 1_024,
      version: 6,
      width: 1,
      types: new Uint8Array(),
      unread: new Uint8Array(),
    });
    expect(block(state(1_024, 1)).change([state(1_024, 0)], 6, NO_EPOCH).isEmpty).toBe(true);
  });
});
