import type { Page } from 'playwright-core';

const FRAMES = 150;
const ROUNDS = 3;
/** A notch of the mouse wheel in every frame. */
const STEP_PX = 120;

/** Scrolls an element from its start down, or from its end up. Returns the durations of all frames in milliseconds. */
export async function scroll(page: Page, selector: string, direction: 'up' | 'down'): Promise<number[]> {
  const step = direction === 'down' ? STEP_PX : -STEP_PX;
  const frames: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    frames.push(
      ...(await page.evaluate<number[]>(
        `(async () => {
          const frame = () => new Promise(requestAnimationFrame);
          const box = document.querySelector(${JSON.stringify(selector)});
          box.scrollTop = ${step} < 0 ? box.scrollHeight : 0;
          for (let index = 0; index < 30; index += 1) await frame();
          const frames = [];
          await frame();
          let last = performance.now();
          for (let index = 0; index < ${FRAMES}; index += 1) {
            box.scrollTop += ${step};
            await frame();
            const now = performance.now();
            frames.push(now - last);
            last = now;
          }
          return frames;
        })()`,
      )),
    );
  return frames;
}
