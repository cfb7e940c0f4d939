import { TypingTurns } from './typing-turns';

describe('Who types', () => {
  const turns = (steps: [at: number, typing: boolean][], key = 'a'): string[] => {
    const all = new TypingTurns<string>();
    return steps.map(([at, typing]) => all.take(key, key, typing, at));
  };

  it('is passed on once in three seconds', () => {
    const steps: [number, boolean][] = [0, 1, 2_999, 3_000].map((at) => [at, true]);
    expect(turns(steps)).toEqual(['told', 'held', 'dropped', 'told']);
  });

  it('is passed on when the three seconds are over, if it was held back', () => {
    const all = new TypingTurns<string>();
    all.take('a', 'Ann', true, 0);
    all.take('a', 'Ann', true, 1_000);
    expect([all.due(2_999), all.due(3_000), all.due(3_000), all.due(6_000)]).toEqual([[], ['Ann'], [], []]);
  });

  it('is told at once to have stopped, once', () => {
    const steps: [number, boolean][] = [
      [0, true],
      [1, false],
      [2, false],
    ];
    expect(turns(steps)).toEqual(['told', 'told', 'dropped']);
  });

  it('is not passed on later when it has stopped meanwhile', () => {
    const all = new TypingTurns<string>();
    all.take('a', 'Ann', true, 0);
    all.take('a', 'Ann', true, 1);
    all.take('a', 'Ann', false, 2);
    expect(all.due(3_000)).toEqual([]);
  });

  it('goes to and fro no faster than that', () => {
    const all = new TypingTurns<string>();
    const decisions = Array.from({ length: 600 }, (_, index) =>
      all.take('a', 'Ann', index % 2 === 0, index * 10),
    );
    // 0 typing, 10 stopped; 3,000 typing, 3,010 stopped.
    expect(decisions.filter((turn) => turn === 'told')).toHaveLength(4);
  });

  it('is of each by itself', () => {
    const all = new TypingTurns<string>();
    expect([all.take('a', 'Ann', true, 0), all.take('b', 'Ben', true, 0)]).toEqual(['told', 'told']);
  });

  it('is forgotten when there is nothing more to say', () => {
    const all = new TypingTurns<string>();
    all.take('a', 'Ann', true, 0);
    all.due(3_000);
    expect(all.take('a', 'Ann', false, 3_001)).toBe('told');
  });
});
