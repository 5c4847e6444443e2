/** Process that sweeps in a loop, to be killed by tests. Its argument is a SweeperTask as JSON. */

import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { sweep } from '../../src/features/storage/sweep.ts'
import { openCheckedStore } from '../../src/objects/checked-store.ts'
import { type ObjectStoreOptions, openObjectStore } from '../kit/open-store.ts'

export interface SweeperTask {
  databaseUrl: string
  store: ObjectStoreOptions
  graceSeconds: number
}

const { databaseUrl, store, graceSeconds } = JSON.parse(String(process.argv[2])) as SweeperTask
const database = await openDatabase({ url: databaseUrl, poolSize: 4, allowFsyncOff: true, log: silentLog })
const objects = openCheckedStore(await openObjectStore(store), silentLog)
const deps = {
  database,
  objects,
  log: silentLog,
  retention: DEFAULT_RETENTION,
  graceSeconds,
  cacheSeconds: graceSeconds,
}
process.on('disconnect', () => process.exit())
for (;;) {
  const result = await sweep(deps, new AbortController().signal)
  process.send?.(result?.deleted ?? { objects: 0, bytes: 0 })
}
