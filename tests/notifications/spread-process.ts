/** Process that distributes pending notifications of the database in its first argument, to be killed by tests. */
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
