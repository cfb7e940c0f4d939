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
  let known: { answer: Promise<T>; until: number } | undefined;
  return () => {
    const began = performance.now();
    if (known !== undefined && began < known.until) return known.answer;
    const current = { answer: ask(), until: Infinity };
    known = current;
    current.answer.then(
      () => {
        const took = performance.now() - began;
        current.until = took < QUICK_MS ? 0 : performance.now() + Math.min(took * SHARE, LONGEST_MS);
      },
      () => {
        current.until = 0;
      },
    );
    return current.answer;
  };
}
