import { defineConfig } from 'vite';

/** Builds the service worker: one classic script, because not every browser accepts modules there. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: '../dist/web',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: 'worker/sw.ts', formats: ['iife'], name: 'callboardWorker', fileName: () => 'sw.js' },
  },
});
