/** Sets the clock of the database back and forward (see tests/kit/set-clock.ts). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { correctClockSetBack } from '../../src/app/live/follow-clock.ts'
import { createId } from '../../src/base/ids.ts'
import { publishVersion } from '../../src/features/hosting/deploy/promote.ts'
import { deploymentRows, insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import { consumeSlot, peekWindow } from '../../src/routing/rate-window.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { setClockBack } from '../kit/set-clock.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'
import { startWorkerProcess, type WorkerProcess } from '../kit/worker-process.ts'

const SECRET = 'one secret for the nodes of this test'
const HOUR = 3600
const DAY = 24 * HOUR

describe('changes of the database clock', () => {
  let api: TestNode
  const workers = new Set<WorkerProcess>()
  const database = () => api.node.context.database
  const queries = () => database().queries

  before(async () => {
    api = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  })
  after(async () => {
    await Promise.all([...workers].map((worker) => worker.kill()))
    await api[Symbol.asyncDispose]()
  })

  const startWorker = (): WorkerProcess => {
    const worker = startWorkerProcess({
      DATABASE_URL: api.databaseUrl,
      OCTAVO_DATA: api.dataFolder,
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: api.url,
    })
    workers.add(worker)
    return worker
  }

  const setBack = (seconds: number) => setClockBack(database(), seconds)

  for (const [name, seconds] of [
    ['an hour', HOUR],
    ['a day', DAY],
  ] as const) {
    test(`clock set back by ${name}: the job of a dead worker resumes, and a waiting job runs`, async () => {
      const domain = `back-${seconds}.example.com`
      await api.addSite(domain, smallSite(200))
      const dead = startWorker()
      const { jobId } = await api.client.startExport({ domain })
      await until(async () => (await api.client.getExport(jobId)).pageCount !== 0)
      await dead.kill()
      const { jobId: waiting } = await api.client.startExport({ domain, version: 'waiting' })
      await setBack(seconds)
      const worker = startWorker()
      const attemptOf = async () =>
        (
          await sql<{ attempt: number }>`SELECT attempt FROM static_exports WHERE id = ${jobId}`.execute(
            queries(),
          )
        ).rows[0]?.attempt
      await until(async () => (await attemptOf()) !== 1, 'the job is still with the dead worker')
      assert.equal((await api.finished(jobId)).status, 'completed')
      assert.equal((await api.finished(waiting)).status, 'completed')
      await worker.kill()
    })

    test(`clock set forward by ${name}: a running export completes`, async () => {
      const domain = `forward-${seconds}.example.com`
      await api.addSite(domain, smallSite(200))
      const worker = startWorker()
      const { jobId } = await api.client.startExport({ domain })
      await until(async () => (await api.client.getExport(jobId)).pageCount !== 0)
      await setBack(-seconds)
      const { status, error } = await api.finished(jobId)
      assert.equal(status, 'completed', error ?? '')
      await worker.kill()
    })

    test(`clock set back by ${name}: a full rate limit window keeps its slots and a wait within the window`, async () => {
      const window = { bucket: `back-${seconds}`, limit: 3, windowSeconds: HOUR }
      for (let taken = 0; taken < 3; taken++) await consumeSlot(queries(), window)
      await setBack(seconds)
      const peeked = await peekWindow(queries(), window)
      const refused = await consumeSlot(queries(), window)
      for (const { accepted, retryAfterSeconds, resetSeconds } of [peeked, refused]) {
        assert.equal(accepted, false)
        assert.ok(retryAfterSeconds <= HOUR && retryAfterSeconds > HOUR - 60, `waits ${retryAfterSeconds} s`)
        assert.ok(resetSeconds <= HOUR)
      }
    })

    test(`clock set back by ${name}: a webhook delivery keeps the wait until its next attempt`, async () => {
      const url = 'https://receiver.example.com/'
      await correctClockSetBack(database())
      const { id } = await addEndpoint(url)
      await setBack(seconds)
      assert.ok((await waitOf(id)) > seconds)
      const moved = await correctClockSetBack(database())
      // The node may have corrected the clock change first.
      assert.ok(moved === 0 || Math.abs(moved - seconds) < 60)
      await until(async () => (await waitOf(id)) <= 700)
      assert.ok((await waitOf(id)) > 500)
    })
  }

  /** Adds an endpoint with one delivery whose next attempt is in ten minutes. */
  const addEndpoint = async (url: string): Promise<{ id: string }> => {
    const [id, event] = [createId('whk'), createId('evt')]
    await sql`INSERT INTO webhook_endpoints (id, organization_id, url, events, secret)
      VALUES (${id}, ${api.organizationId}, ${url}, '{static_export.completed}', 'none')`.execute(queries())
    await sql`INSERT INTO webhook_events (id, organization_id, type, data, is_spread)
      VALUES (${event}, ${api.organizationId}, 'static_export.completed', '{}', true)`.execute(queries())
    await sql`INSERT INTO webhook_deliveries (endpoint_id, event_id, next_attempt_at, give_up_at)
      VALUES (${id}, ${event}, clock_timestamp() + interval '10 minutes',
        clock_timestamp() + interval '3 days')`.execute(queries())
    return { id }
  }

  const waitOf = async (endpointId: string): Promise<number> => {
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS seconds FROM webhook_deliveries
      WHERE endpoint_id = ${endpointId}`.execute(queries())
    return rows[0]?.seconds ?? 0
  }

  test('a version published after the clock was set back replaces the one published before', async () => {
    const { projectId } = await api.addSite('order.example.com', smallSite(1))
    const place = { organizationId: api.organizationId, projectId }
    const tomorrow = createId('dep', Date.now() + DAY * 1000)
    for (const id of [tomorrow, createId('dep')]) {
      const held = { id, attempt: 1 }
      await insertDeployment(queries(), { id, ...place })
      await deploymentRows.claim(queries(), held)
      await database().transaction((tx) =>
        publishVersion(tx, held, {
          projectId,
          revision: 'r',
          manifestKey: `manifests/${id}`,
          pageCount: 1,
          problems: [],
        }),
      )
    }
    const { rows } = await sql<{ deployment_id: string }>`
      SELECT deployment_id FROM published_sites WHERE project_id = ${projectId}`.execute(queries())
    assert.notEqual(rows[0]?.deployment_id, tomorrow)
  })
})
