/**
 * Entry point of the worker process. Receives its settings through a pipe, and stops on request or when it closes.
 */
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { deserialize } from 'node:v8'
import { createLog, logOwnFaults } from '../base/log.ts'
import { WORKER_BEAT_MS } from '../sandbox/limits.ts'
import { startNode } from './node.ts'
import { FIGURES_EVERY_MS, FIGURES_PIPE, WORKER_PIPE, type WorkerSettings } from './worker-process.ts'

const pipe = new Socket({ fd: WORKER_PIPE, readable: true, writable: true })
pipe.on('error', () => process.exit(1)) // the parent process is gone
const lines = createInterface({ input: pipe })[Symbol.asyncIterator]()
const first = await lines.next()
if (first.done) process.exit(1)
const { config, secrets, address } = deserialize(Buffer.from(first.value, 'base64')) as WorkerSettings
// The parent process handles the terminal's signals and tells this one what to do.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
// Heartbeat: shows the parent that the event loop is running.
setInterval(() => pipe.write('\n'), WORKER_BEAT_MS).unref()
logOwnFaults(createLog(config.logLevel, { asText: false }))
const node = await startNode(config, secrets, {
  database: address,
  // Sent before a job begins, since the job may crash this process.
  onHeldJobs: (jobs) => pipe.write(`${JSON.stringify(jobs)}\n`),
})
const up = new Socket({ fd: FIGURES_PIPE, readable: false, writable: true })
up.on('error', () => {}) // the parent process is gone, which is handled below
setInterval(async () => {
  // Do not buffer lines that are not read.
  if (up.writableLength === 0) up.write(`${JSON.stringify(await node.context.metrics.figures())}\n`)
}, FIGURES_EVERY_MS).unref()
const told = await lines.next()
// The pipe closed without a message: the parent and its database are gone, and another worker takes over the jobs.
if (told.done) process.exit(1)
await node.stop()
process.exit(0)
