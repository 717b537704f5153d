import type { Config } from '../config.ts';
import { toArtifactPath } from '../contract/artifacts.ts';
import type { ArtifactStore } from '../pages/stages.ts';
import type { Store } from '../store/store.ts';

/** Keeps artifacts in the store, and gives each a signed address. */
export function keepArtifacts({ artifacts }: Pick<Store, 'artifacts'>, config: Config): ArtifactStore {
  return {
    async put({ type, bytes, keepMs }, { teamId, zeroDataRetention, publicAddress = settledAddress(config) }) {
      const ticket = await artifacts.put({ teamId, type, bytes, keepMs, isSealed: zeroDataRetention });
      return publicAddress + toArtifactPath(ticket);
    },
  };
}

/** Where the service is by its settings alone: for work that no request has asked for. */
function settledAddress({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
