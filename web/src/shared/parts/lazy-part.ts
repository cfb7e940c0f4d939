import { type ComponentType, createElement, type FunctionComponent, use } from 'react';

/** The chunk of a part did not load: it was deleted by an update, or the service cannot be reached. */
export class PartError extends Error {
  override readonly name = 'PartError';

  /** @param forget discards the failed attempt: the part is loaded again when it is rendered next */
  constructor(
    readonly forget: () => void,
    cause: unknown,
  ) {
    super('A part of the page could not be loaded', { cause });
  }
}

/** A component in a separate chunk, to be rendered within `Suspense` and `ErrorBoundary`. */
export type LazyPart<Props> = FunctionComponent<Props> & {
  /** Loads the chunk before it is needed. Never rejects: after a failure the chunk is loaded when it is needed. */
  preload: () => Promise<void>;
};

/**
 * Makes a component of one that is loaded when it is first rendered. React's `lazy` keeps a failure forever; this one loads
 * again after `PartError.forget()`, and does not suspend when the chunk was preloaded.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let needed: readonly string[] = [];
  const forget = (): void => {
    loading = undefined;
  };
  const loadOnce = (): Promise<ComponentType<Props>> => {
    loading ??= restoreStylesheets(needed)
      .then(load)
      .catch((cause: unknown) => {
        needed = [...missing];
        throw new PartError(forget, cause);
      });
    return loading;
  };
  function Part(props: Props) {
    return createElement(use(loadOnce()), props);
  }
  return Object.assign(Part, { preload: () => loadOnce().then(() => undefined, forget) });
}

/** Addresses of stylesheets that failed to load. */
const missing = new Set<string>();

document.addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
    missing.add(target.href);
    target.remove();
  },
  // The event of a link does not bubble.
  { capture: true },
);

/**
 * Reloads missing stylesheets: Vite requests a stylesheet only once, so a part would be rendered without its styles.
 * @throws {Error} one of those in `needed` failed again
 */
async function restoreStylesheets(needed: readonly string[]): Promise<void> {
  await Promise.all([...missing].map(loadStylesheet));
  const failed = needed.find((href) => missing.has(href));
  if (failed !== undefined) throw new Error(`The stylesheet ${failed} could not be loaded`);
}

function loadStylesheet(href: string): Promise<void> {
  missing.delete(href);
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}
