/** Process for tests of rolling windows: takes many slots concurrently and prints how many were accepted. */
import { createInterface } from 'node:readline'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { consumeSlot } from '../../src/routing/rate-window.ts'

interface Order {
  url: string
  bucket: string
  limit: number
  windowSeconds: number
  calls: number
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const order = JSON.parse((await lines.next()).value ?? '') as Order
const database = await openDatabase({ url: order.url, poolSize: 20, allowFsyncOff: true, log: silentLog })
await database.isReachable()
process.stdout.write('ready\n')
await lines.next()
const verdicts = await Promise.all(
  Array.from({ length: order.calls }, () => consumeSlot(database.queries, order)),
)
process.stdout.write(`${verdicts.filter((verdict) => verdict.accepted).length}\n`)
await database[Symbol.asyncDispose]()
