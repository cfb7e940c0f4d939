import type { Page } from 'playwright-core';
import type { Row } from '../measure';
import { at, atMost, times } from './figures';
import { ADMIN, type Open } from './people';
import { scroll } from './scroll';

const ROUNDS = 7;
const DRAG_MOVES = 60;
const MIB = 2 ** 20;
const ROWS = '[role=treeitem]';

/*
 * Code that runs in the page is passed as text: the benchmark is compiled without DOM types. `until` returns how long a
 * change takes to be painted: from before the action to the frame after the one in which the change is present.
 */
const UNTIL = `
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (act, isThere) => {
    const start = performance.now();
    act();
    while (!isThere()) await frame();
    await frame();
    return performance.now() - start;
  };
  const rows = () => document.querySelectorAll('${ROWS}');
  const button = (name) => [...document.querySelectorAll('button')].find((each) => each.textContent === name || each.ariaLabel === name);
  const type = (text) => {
    const field = document.querySelector('[aria-label="Search groups by name"]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const first = () => rows()[0]?.ariaLabel;
  const second = () => rows()[1]?.ariaLabel;
`;

const run = <T>(page: Page, script: string): Promise<T> =>
  page.evaluate(`(async () => {${UNTIL}${script}})()`);

/** The tree of 10,000 groups: time to paint it, and its responsiveness with all groups open. */
export async function measureTree(open: Open): Promise<Row[]> {
  const page = await open(ADMIN, '/admin/groups');
  await page.locator(ROWS).first().waitFor();
  const painted = await times(ROUNDS, async () => {
    await page.reload({ waitUntil: 'commit' });
    return run<number>(
      page,
      'while (rows().length < 20) await frame(); await frame(); return performance.now();',
    );
  });
  const expand = await times(ROUNDS, async () => {
    await run(page, `await until(() => button('Collapse all').click(), () => rows()[1]?.ariaLevel === '1')`);
    return run<number>(
      page,
      `return until(() => button('Expand all').click(), () => rows()[1]?.ariaLevel === '2')`,
    );
  });
  const search = await times(ROUNDS, async () => {
    const took = await run<number>(
      page,
      `const before = second(); return until(() => type('g777'), () => first() !== undefined && second() !== before)`,
    );
    await run(page, `const before = second(); await until(() => type(''), () => second() !== before)`);
    return took;
  });
  await run(
    page,
    `if (rows()[1]?.ariaLevel !== '2') button('Expand all').click(); await frame(); await frame()`,
  );
  const frames = await scroll(page, '.tree-box', 'down');
  const rows = await run<number>(page, 'return rows().length');
  const tasks = await drag(page);
  return [
    atMost('10,000 groups, painted after a reload, median', at(painted, 0.5), 'ms', 1_000),
    atMost('all of them opened, median', at(expand, 0.5), 'ms', 300),
    atMost('a search with all of them open, median', at(search, 0.5), 'ms', 300),
    atMost('a frame of scrolling with all of them open, p95', at(frames, 0.95), 'ms', 25),
    atMost(`long tasks during ${DRAG_MOVES} moves of a drag`, tasks, 'tasks', 0),
    atMost('rows in the document with all of them open', rows, 'rows', 60),
    atMost('memory of scripts with all of them open', await memory(page), 'MiB', 60),
  ];
}

/** Drags a row over one row after another. Returns the number of tasks longer than 50 ms. */
async function drag(page: Page): Promise<number> {
  await run(
    page,
    `globalThis.longTasks = 0;
     document.querySelector('.tree-box').scrollTo(0, 0);
     await frame(); await frame();
     new PerformanceObserver((list) => { globalThis.longTasks += list.getEntries().length; }).observe({ entryTypes: ['longtask'] });`,
  );
  const box = await page.locator(ROWS).nth(2).boundingBox();
  if (box === null) throw new Error('The tree has no rows');
  await page.mouse.move(box.x + 90, box.y + 18);
  await page.mouse.down();
  for (let move = 0; move < DRAG_MOVES; move += 1)
    await page.mouse.move(box.x + 90, box.y + 18 + (move % 15) * 31);
  // Drops the row at its origin, so that nothing is moved.
  await page.mouse.move(box.x + 90, box.y + 18);
  await page.mouse.up();
  return run(page, 'await frame(); await frame(); return globalThis.longTasks;');
}

async function memory(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / MIB;
}
