import { startPage } from '../shared/start-page';
import { App } from './app';

await startPage(<App />);
