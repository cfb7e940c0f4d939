import { generateClient } from './generate';

/* npm run client:generate: writes packages/client/src/generated anew. */

if (process.argv.includes('--help')) console.log('npm run client:generate');
else void generateClient('packages/client/src/generated');
