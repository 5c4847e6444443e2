/** Entry point of the worker process. Reads settings from a pipe; stops on request or when it is closed. */
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { deserialize } from 'node:v8'
import { createLog, logProcessErrors } from '../base/log.ts'
import { WORKER_HEARTBEAT_MS } from '../sandbox/limits.ts'
import { startNode } from './node.ts'
import { METRICS_INTERVAL_MS, METRICS_PIPE, WORKER_PIPE, type WorkerSettings } from './worker-process.ts'

const pipe = new Socket({ fd: WORKER_PIPE, readable: true, writable: true })
pipe.on('error', () => process.exit(1)) // the parent process has ended
const lines = createInterface({ input: pipe })[Symbol.asyncIterator]()
const first = await lines.next()
if (first.done) process.exit(1)
const { config, secrets, address } = deserialize(Buffer.from(first.value, 'base64')) as WorkerSettings
// The parent process handles the terminal's signals and forwards commands to this one.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
// Heartbeat: shows the parent that the event loop is running.
setInterval(() => pipe.write('\n'), WORKER_HEARTBEAT_MS).unref()
logProcessErrors(createLog(config.logLevel, { asText: false }))
const node = await startNode(config, secrets, {
  database: address,
  // Sent before a job begins, since the job may crash this process.
  onHeldJobs: (jobs) => pipe.write(`${JSON.stringify(jobs)}\n`),
})
const metricsPipe = new Socket({ fd: METRICS_PIPE, readable: false, writable: true })
metricsPipe.on('error', () => {}) // ignored: the parent process has ended, which is handled below
setInterval(async () => {
  // Skip a line while the previous one is unread, instead of buffering.
  if (metricsPipe.writableLength === 0)
    metricsPipe.write(`${JSON.stringify(await node.context.metrics.snapshot())}\n`)
}, METRICS_INTERVAL_MS).unref()
const stopLine = await lines.next()
// The pipe closed without a message: the parent and its database are gone, and another worker takes over the jobs.
if (stopLine.done) process.exit(1)
await node.stop()
process.exit(0)
