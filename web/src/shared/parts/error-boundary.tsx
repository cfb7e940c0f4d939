import { Component, type ReactNode } from 'react';
import { PartError } from './lazy-part';
import { reloadWhenOutdated } from './reload';

interface Props {
  /** Renders the replacement for children that failed: `PartFailed`, or nothing. */
  renderFailed: (retry: () => void) => ReactNode;
  children: ReactNode;
}

interface State {
  isFailed: boolean;
}

/**
 * Confines a failure to its part of the page: an exception during rendering, or a chunk that did not load. Pass the path of the
 * screen as `key`, so that another screen starts without the failure.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { isFailed: false };
  #retries = 0;

  static getDerivedStateFromError(): State {
    return { isFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof PartError)) return;
    error.forget();
    // Some browsers cache the failure of a module until the page is reloaded.
    void reloadWhenOutdated({ isStuck: this.#retries > 0 });
  }

  readonly #retry = (): void => {
    this.#retries += 1;
    this.setState({ isFailed: false });
  };

  override render(): ReactNode {
    const { renderFailed, children } = this.props;
    if (!this.state.isFailed) return children;
    return renderFailed(this.#retry);
  }
}
