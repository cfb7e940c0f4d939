import { CALLS } from './calls';
import { HISTORY } from './history';
import { serve } from './http';
import { NOTIFICATIONS } from './notifications';
import { SENDS } from './sends';

/*
 * The floor: shows what the guarantees of the service cost at least. Implements some of the measured endpoints by hand
 * on the service's own tables, and writes every row that a later response, a resumed event stream, a webhook, a
 * statistic or an audit depends on. It uses neither a framework nor a query builder, and statements that do not need
 * each other's results follow each other without waiting (`pipeline.ts`). Requests that are never measured return 501.
 */

const server = serve({ ...NOTIFICATIONS, ...SENDS, ...HISTORY, ...CALLS });

process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), '127.0.0.1');
