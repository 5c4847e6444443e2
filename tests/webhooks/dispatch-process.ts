/** Process that sends the due deliveries of the database in its first argument, to be killed by tests. */

import { silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { openDatabase } from '../../src/database/database.ts'
import { startDispatcher } from '../../src/features/webhooks/dispatcher.ts'
import { SCENE_SECRET } from './webhook-scene.ts'

const url = process.argv[2] ?? ''
startDispatcher(
  {
    database: await openDatabase({ url, poolSize: 4, allowFsyncOff: true, log: silentLog }),
    log: silentLog,
    guardedFetch: createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] }),
    webhookSecrets: createSecretBox(SCENE_SECRET, 'webhooks'),
    publicUrl: () => 'https://octavo.example.com',
    userAgent: 'Octavo-Webhooks/test',
  },
  { pollMs: 20, leaseSeconds: 2 },
)
