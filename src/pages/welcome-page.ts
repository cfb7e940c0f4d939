import { version } from '../../package.json';

/** The page at `/` without the web app: the version and links to the API documentation (API 16.5). */
export const WELCOME_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callboard</title>
<style>
body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem; color-scheme: light dark }
h1 { margin-bottom: 0 }
p.version { margin-top: 0; opacity: 0.7 }
</style>
</head>
<body>
<main>
<h1>Callboard</h1>
<p class="version">Version ${version}</p>
<p>One service for apps in which people call, message and notify each other.</p>
<ul>
<li><a href="docs">The interface</a>: every operation, to try out</li>
<li><a href="docs-json">The same for machines</a>: OpenAPI</li>
<li><a href="health/ready">Whether it is ready</a></li>
</ul>
</main>
</body>
</html>
`;
