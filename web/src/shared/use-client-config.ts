import { useEffect, useState } from 'react';
import { type ClientConfig, getClientConfig } from './callboard';

/** What the service tells of itself; undefined before it has, and while it cannot. */
export function useClientConfig(): ClientConfig | undefined {
  const [config, setConfig] = useState<ClientConfig>();
  useEffect(() => {
    let isGone = false;
    const load = async (): Promise<void> => {
      const answer = await getClientConfig();
      if (!isGone) setConfig(answer);
    };
    // The page works without; what is wrong shows when somebody logs in.
    load().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, []);
  return config;
}
