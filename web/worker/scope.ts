/** The global object, with the type that it has in a service worker. */
export const worker = globalThis as unknown as ServiceWorkerGlobalScope;
