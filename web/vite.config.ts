import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the service listens that the pages of `npm run dev` talk to. */
const SERVICE = 'http://localhost:3000';

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Scripts and pictures are files: the policy of the pages allows nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { client: 'index.html', panel: 'admin/index.html' } },
  },
  server: {
    proxy: { '/api': SERVICE, '/docs': SERVICE, '/docs-json': SERVICE },
  },
});
