import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../src/app/config/config.ts'
import { startWaitingWorker, superviseWorker } from '../../src/app/worker-process.ts'
import { startTestNode } from '../kit/node.ts'
import { descendants } from '../kit/processes.ts'
import { until } from '../kit/until.ts'

const SECRET = 'a secret for two processes of one node'

const workers = () => descendants().filter(({ command }) => /worker-main/.test(command))

test('a node that fails to start leaves no worker process behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const PORT = String((taken.address() as AddressInfo).port)
  try {
    await assert.rejects(
      startTestNode({ PORT, HOST: '127.0.0.1' }, { hasWorkerProcess: true }),
      /is already in use/,
    )
    await until(() => workers().length === 0)
  } finally {
    taken.close()
  }
})

test('a worker killed while it waits for its settings is replaced', async () => {
  await using api = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  using waiting = startWaitingWorker()
  const [first] = workers()
  assert.ok(first)
  process.kill(first.pid, 'SIGKILL')
  await until(() => workers().length === 0)
  await sleep(0) // its end has been reported
  const { secrets } = loadConfig({}, { DATABASE_URL: api.databaseUrl, OCTAVO_SECRET: SECRET })
  const worker = superviseWorker(api.node.context, secrets, undefined, waiting)
  try {
    await until(() => worker.metricsSnapshot() !== null)
    assert.ok(worker.isUp())
  } finally {
    await worker.stop()
  }
})
