/** What comes sooner than this is asked for each time. */
const QUICK_MS = 20;
/** Asking takes one hundredth of the time at most. */
const SHARE = 100;
const LONGEST_MS = 60_000;

/**
 * Remembers an answer for longer, the longer it took: what is quick is always fresh, and what is not is asked for so seldom
 * that it takes a hundredth of the time, and is a minute old at most. Whoever asks meanwhile joins in.
 */
export function costly<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  let until = Infinity;
  const askAnew = async (): Promise<T> => {
    const began = performance.now();
    until = Infinity;
    try {
      const answer = await ask();
      const took = performance.now() - began;
      until = took < QUICK_MS ? 0 : performance.now() + Math.min(took * SHARE, LONGEST_MS);
      return answer;
    } catch (error) {
      until = 0;
      throw error;
    }
  };
  return () => {
    if (known === undefined || performance.now() >= until) known = askAnew();
    return known;
  };
}
