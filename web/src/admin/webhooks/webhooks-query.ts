import { useQuery } from '@tanstack/react-query';
import { callboard } from '../../shared/callboard';

/** First parts of the query keys to invalidate after an endpoint has changed. */
export const WEBHOOK_QUERIES = ['webhooks', 'audit', 'health'];

const REFETCH_MS = 10_000;

/** Loads one endpoint. */
export const useWebhook = (id: number) =>
  useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => callboard.webhooks.get({ path: { id }, signal }),
    enabled: id > 0,
    refetchInterval: REFETCH_MS,
  });
