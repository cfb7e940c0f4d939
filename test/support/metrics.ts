import type { ApiClient } from './api-client';

/** Returns the samples of an exposition by name and labels, without those of the process itself. */
export function samplesIn(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith('callboard_'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1).replace('Nan', 'NaN'))];
    }),
  );
}

/** Returns the samples of `/metrics`. */
export const scrape = async (api: ApiClient): Promise<Record<string, number>> =>
  samplesIn((await api.get('/metrics')).text);
