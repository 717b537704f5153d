import type { Config } from '../config.ts';
import { toArtifactPath } from '../contract/artifacts.ts';
import type { ArtifactStore } from '../pages/stages.ts';
import type { Store } from '../store/store.ts';

/** Stores artifacts and gives each a signed address. */
export function keepArtifacts({ artifacts }: Pick<Store, 'artifacts'>, config: Config): ArtifactStore {
  return {
    async put({ type, bytes, keepMs }, { teamId, zeroDataRetention, publicAddress = configuredAddress(config) }) {
      const ticket = await artifacts.put({ teamId, type, bytes, keepMs, isSealed: zeroDataRetention });
      return publicAddress + toArtifactPath(ticket);
    },
  };
}

/** The address of the service according to its settings, for work that was not started by a request. */
function configuredAddress({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
