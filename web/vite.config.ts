import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the service listens that the pages of `npm run dev` talk to. */
const SERVICE = 'http://localhost:3000';

/** The client package as it is written: nothing has to be built before. */
const CLIENT = fileURLToPath(new URL('../packages/client/src', import.meta.url));

/** All below /admin is the panel, as the service has it; Vite alone would take what it does not know for the client. */
const panelBelowAdmin: Plugin = {
  name: 'panel-below-admin',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const isPage = request.headers.accept?.includes('text/html') === true;
      if (isPage && /^\/admin(?![^/?])/.test(request.url ?? '')) request.url = '/admin/index.html';
      next();
    });
  },
};

export default defineConfig({
  plugins: [react(), panelBelowAdmin],
  resolve: {
    alias: [
      { find: /^@callboard\/client$/, replacement: `${CLIENT}/index.ts` },
      { find: /^@callboard\/client\/calls$/, replacement: `${CLIENT}/calls/index.ts` },
      { find: /^@callboard\/client\/(agora|livekit)$/, replacement: `${CLIENT}/calls/media/$1.ts` },
    ],
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Scripts and pictures are files: the policy of the pages allows nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB: Agora's library is larger than any other, and loaded with the first call that needs it.
    chunkSizeWarningLimit: 1_600,
    rolldownOptions: {
      input: { client: 'index.html', panel: 'admin/index.html' },
      output: {
        // The name of a merged part lists the screens that share it, which is too long for the path of a file.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${name.replace(/(~.*)?\.[^.]*$/, '')}-[hash][extname]`,
        codeSplitting: {
          groups: [
            // Merges small parts that different screens of the client share: each file costs a request and compresses worse.
            // The threshold is in bytes before compression; a larger one adds to the first screen what only others need.
            {
              name: 'app',
              test: /web[\\/]src[\\/]app[\\/]/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 600,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': SERVICE, '/files': SERVICE, '/docs': SERVICE, '/docs-json': SERVICE },
  },
});
