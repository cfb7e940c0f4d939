import { runSuite } from '../support/run-suite';

runSuite(__filename);
