/** The process of the background jobs: its settings come through a pipe, and it ends when that says so or ends. */
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { deserialize } from 'node:v8'
import { createLog, logOwnFaults } from '../base/log.ts'
import { WORKER_BEAT_MS } from '../sandbox/limits.ts'
import { startNode } from './node.ts'
import { FIGURES_EVERY_MS, FIGURES_PIPE, WORKER_PIPE, type WorkerSettings } from './worker-process.ts'

const pipe = new Socket({ fd: WORKER_PIPE, readable: true, writable: true })
pipe.on('error', () => process.exit(1)) // the node above is gone
const lines = createInterface({ input: pipe })[Symbol.asyncIterator]()
const first = await lines.next()
if (first.done) process.exit(1)
const { config, secrets, address } = deserialize(Buffer.from(first.value, 'base64')) as WorkerSettings
// A terminal's signals are for the process above, which says here what is to be done.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
// Whoever watches sees by this that the event loop turns.
setInterval(() => pipe.write('\n'), WORKER_BEAT_MS).unref()
logOwnFaults(createLog(config.logLevel, { asText: false }))
const node = await startNode(config, secrets, {
  database: address,
  // Said before a job begins: it may be the last that is heard of here.
  onHeldJobs: (jobs) => pipe.write(`${JSON.stringify(jobs)}\n`),
})
const up = new Socket({ fd: FIGURES_PIPE, readable: false, writable: true })
up.on('error', () => {}) // the node above is gone, which is told below
setInterval(async () => {
  // Lines that nobody takes are not heaped up.
  if (up.writableLength === 0) up.write(`${JSON.stringify(await node.context.metrics.figures())}\n`)
}, FIGURES_EVERY_MS).unref()
const told = await lines.next()
// Without a word the node above is gone, and its database with it: what runs here is another worker's soon.
if (told.done) process.exit(1)
await node.stop()
process.exit(0)
