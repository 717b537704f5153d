import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTeam, newBatch } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import { useClock } from '../clock.ts';
import type { Poster } from '../fetch/types.ts';
import { ConstraintError } from '../store/constraint-error.ts';
import { openStore } from '../store/open-store.ts';
import type { Delivery } from '../store/operations/jobs/deliver-events.ts';
import type { Store } from '../store/store.ts';
import { Courier } from './courier.ts';

/** Starts and cancels a job, so that its webhook gets both events. */
async function tell(store: Store, host: string): Promise<void> {
  const owner = await makeTeam(store);
  const { teamId } = owner;
  await store.webhooks.putSecret(teamId, 'whsec_c2VjcmV0', { replaces: false });
  const batch = newBatch(owner, [{ key: null, payload: 'http://page.test/', host: 'page.test', depth: 0 }]);
  const events = ['started', 'failed'] as const;
  await store.jobs.start({ ...batch, webhook: { url: `http://${host}/`, headers: '{}', metadata: '{}', events } });
  await store.jobs.cancel(teamId, 'batch', batch.job.id);
}

/** A courier whose deliveries arrive here. Refuses outcomes by throwing. */
function startCourier(store: Store, refuse: (delivery: Delivery) => void) {
  const received: string[] = [];
  const poster: Poster = {
    async post({ url, body }) {
      received.push(`${url.host} ${JSON.parse(body).type}`);
      return 200;
    },
    checkTarget: async () => {},
  };
  const settle = async (delivery: Delivery) => {
    refuse(delivery);
    await store.webhooks.settle(delivery);
  };
  const said: string[] = [];
  const courier = new Courier({
    store: { ...store, webhooks: { ...store.webhooks, settle } },
    poster,
    prefixOf: () => 'batch_scrape',
    onError: (_error, what) => said.push(what),
    onTried: () => {},
  });
  courier.start();
  return { courier, received, said };
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`deliveries whose outcome ${name} refuses`, { skip }, () => {
    test('fail, and the next event follows', async () => {
      await using place = await create();
      const store = await openStore(place.options);
      await tell(store, 'refused.test');
      await tell(store, 'other.test');
      const { courier, received } = startCourier(store, ({ end }) => {
        if (end.type === 'delivered' && received.at(-1) === 'refused.test batch_scrape.started')
          throw new ConstraintError('value', 'no');
      });
      while ((await store.webhooks.nextAt()) !== null) await sleep(5);
      await courier.close();
      assert.deepEqual(received.sort(), [
        'other.test batch_scrape.failed',
        'other.test batch_scrape.started',
        'refused.test batch_scrape.failed',
        'refused.test batch_scrape.started',
      ]);
      await store.close();
    });

    test('are not repeated forever if the failure is refused too', async () => {
      await using place = await create();
      const store = await openStore(place.options);
      await tell(store, 'refused.test');
      let ahead = 0;
      const restore = useClock(() => Date.now() + ahead);
      let claims = 0;
      const claim: Store['webhooks']['claim'] = async (what) => {
        const events = await store.webhooks.claim(what);
        claims += events.length;
        return events;
      };
      const { courier, received, said } = startCourier({ ...store, webhooks: { ...store.webhooks, claim } }, () => {
        throw new ConstraintError('value', 'never');
      });
      // It is due again each time its lease expires.
      for (let time = 1; time <= 3; time++) {
        while (claims < time) await sleep(5);
        ahead += 15_001;
      }
      await courier.close();
      restore();
      assert.deepEqual(received, ['refused.test batch_scrape.started']);
      assert.ok(said.some((what) => /ignoring its webhook/.test(what)));
      await store.close();
    });
  });
}
