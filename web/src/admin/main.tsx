import { startPage } from '../shared/start-page';
import { Panel } from './panel';

await startPage(<Panel />);
