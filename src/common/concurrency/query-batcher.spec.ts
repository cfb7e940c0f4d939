import { queryBatcher } from './query-batcher';

describe('queryBatcher', () => {
  let asked: number[][];
  const ask = async (keys: number[]): Promise<Map<number, string>> => {
    asked.push(keys);
    return new Map(keys.map((key) => [key, `answer ${key}`]));
  };
  beforeEach(() => {
    jest.useFakeTimers();
    asked = [];
  });
  afterEach(() => jest.useRealTimers());

  it('queries immediately when idle, and merges the loads of the delay that follows', async () => {
    const questions = queryBatcher(ask, 'none', 20);
    const first = questions.load(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toEqual([[1]]);
    const later = [questions.load(2), questions.load(3)];
    await jest.advanceTimersByTimeAsync(10);
    later.push(questions.load(3));
    expect(asked).toEqual([[1]]);
    await jest.advanceTimersByTimeAsync(10);
    expect(asked).toEqual([[1], [2, 3]]);
    expect(await Promise.all([first, ...later])).toEqual(['answer 1', 'answer 2', 'answer 3', 'answer 3']);

    await jest.advanceTimersByTimeAsync(20);
    const alone = questions.load(4);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toEqual([[1], [2, 3], [4]]);
    expect(await alone).toBe('answer 4');
  });

  it('merges the loads of one event-loop turn without a delay', async () => {
    const questions = queryBatcher(ask, 'none');
    const answers = [questions.load(1), questions.load(2)];
    await jest.advanceTimersByTimeAsync(1);
    answers.push(questions.load(3));
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toEqual([[1, 2], [3]]);
    expect(await Promise.all(answers)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });
});
