import type { Row } from '../measure';
import { at, atMost, times } from './figures';
import { ADMIN, type Open } from './people';

const PAGES = 10;
const NAMES = 'tbody tr a';

/** Pages through 100,000 users: time from the click to the painted rows. */
export async function measureUsers(open: Open): Promise<Row[]> {
  const page = await open(ADMIN, '/admin/users');
  await page.locator(NAMES).first().waitFor();
  const took = await times(PAGES, () =>
    page.evaluate<number>(`(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const first = () => document.querySelector('${NAMES}')?.href;
      const before = first();
      const start = performance.now();
      document.querySelector('.ant-pagination-next button').click();
      while (first() === before) await frame();
      await frame();
      return performance.now() - start;
    })()`),
  );
  return [atMost('a page of 100,000 users, median', at(took, 0.5), 'ms', 500)];
}
