/** A process for tests of the death of who tells people: tells what waits in the database of its first argument. */
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { distributeAll } from '../../src/features/notifications/notification-loop.ts'

const url = process.argv[2] ?? ''
const database = await openDatabase({ url, poolSize: 2, allowFsyncOff: true, log: silentLog })
process.send?.('ready')
for (;;) {
  await distributeAll(database, new AbortController().signal)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
