import { enableCompileCache } from 'node:module';

/*
 * Must be imported before the modules to cache: modules loaded from now on are compiled once, and later starts read
 * them from the cache in the system's temporary folder or in NODE_COMPILE_CACHE. If the folder is not writable, nothing
 * is cached.
 */
enableCompileCache();
