import { enableCompileCache } from 'node:module';

/*
 * Imported before all else: what is loaded from then on is compiled once, and the next start finds it in the system's
 * folder for temporary files, or where NODE_COMPILE_CACHE says. Where nothing can be written there, nothing is.
 */
enableCompileCache();
