/** Process that checks due automations in the database of its first argument until a test kills it. */

import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { checkAutomations } from '../../src/features/automations/run-due-automations.ts'
import { openQueue } from '../../src/queue/queue.ts'
import { watchDeps } from './automation-scene.ts'

const url = process.argv[2] ?? ''
const database = await openDatabase({ url, poolSize: 4, allowFsyncOff: true, log: silentLog })
const queue = await openQueue({ address: { url }, log: silentLog })
const deps = watchDeps(database, queue)
process.send?.('ready')
for (;;) {
  await checkAutomations(deps, new AbortController().signal)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
