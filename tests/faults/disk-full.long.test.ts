/** With a full disk, reads succeed and writes fail with a reason; freeing space is enough to recover. */
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { processTree } from '../kit/processes.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { NO_SMALL_DISK, openSmallDisk } from '../kit/small-disk.ts'
import { type StartedServer, siteRequest, startServer } from '../kit/started-server.ts'
import { ended, until } from '../kit/until.ts'

const DOMAIN = 'full.example.com'

test('with a full disk reads succeed and writes return 503, and all recovers once there is space', {
  skip: NO_SMALL_DISK,
}, async (t) => {
  await using disk = await openSmallDisk(400)
  const [dataFolder, temporary] = [join(disk.folder, 'data'), join(disk.folder, 'temporary')]
  for (const folder of [dataFolder, temporary]) await mkdir(folder)
  // The log is on the same disk, as on most machines.
  const place = { dataFolder, logFile: join(disk.folder, 'octavo.log'), logLevel: 'info' as const }
  await using server = await startServer({ TMPDIR: temporary }, place)
  const source = join(disk.folder, 'site')
  await writeSite(source, smallSite())
  const projectId = await server.addProject(DOMAIN, { kind: 'folder', repository: source })
  const before = await server.client.startExport({ domain: DOMAIN })
  await over(server, before.jobId)
  const deployed = await call(server, 'POST', `/v1/deployments/${projectId}`, {})
  assert.ok(deployed.status < 300, JSON.stringify(deployed))
  await until(async () => (await sitePage(server)).status === 200)
  const siteId = await server.onDatabase(async ({ queries }) => {
    const row = queries.selectFrom('projects').select('site_id').where('id', '=', projectId)
    return (await row.executeTakeFirstOrThrow()).site_id
  })
  const vote = () =>
    call(server, 'POST', `/_octavo/sites/${siteId}/feedback`, { path: '/page-1', helpful: true })
  assert.ok((await vote()).status < 300)
  // Pause the worker, so that this export is acknowledged but does not start until the disk is full.
  const worker = await workerOf(server)
  process.kill(worker, 'SIGSTOP')
  const waiting = await server.client.startExport({ domain: DOMAIN, version: 'waits for room' })

  await disk.fill()
  process.kill(worker, 'SIGCONT')
  await until(async () => (await ready(server)).parts.disk !== 'ok')
  assert.match((await ready(server)).parts.disk ?? '', /Free some space/)
  const reads = () =>
    Promise.all([
      call(server, 'GET', `/v1/static-export/jobs/${before.jobId}`),
      call(server, 'GET', '/v1/static-export/jobs'),
      call(server, 'GET', `/v1/analytics/${projectId}/feedback`),
      call(server, 'GET', `/v1/analytics/${projectId}/feedback/by-page`),
      sitePage(server),
    ])
  const writes = () =>
    Promise.all([
      call(server, 'POST', '/v1/static-export/jobs', { domain: DOMAIN }),
      call(server, 'POST', `/v1/deployments/${projectId}`, {}),
      vote(),
    ])
  const check = async () => {
    for (const { status, body } of await reads()) assert.equal(status, 200, JSON.stringify(body))
    for (const { status, body } of await writes()) {
      assert.equal(status, 503, JSON.stringify(body))
      assert.match(body.error ?? '', /disk is full/)
    }
  }
  for (let round = 0; round < 20; round++) await check()

  t.diagnostic('PostgreSQL itself goes down for want of room, and must come back without any')
  await useUpTheWriteAheadLog(server)
  await until(async () => (await call(server, 'GET', '/v1/static-export/jobs')).status === 200)
  for (let round = 0; round < 5; round++) await check()

  await disk.free()
  await until(async () => (await ready(server)).parts.disk === 'ok')
  const after = await server.client.startExport({ domain: DOMAIN, version: 'after' })
  for (const { jobId } of [waiting, after]) {
    const job = await over(server, jobId)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    await server.client.generateBundle(jobId)
  }
  assert.ok((await vote()).status < 300)
  const { jobs } = await server.client.listExports()
  assert.deepEqual(
    jobs.map(({ jobId }) => jobId),
    [after.jobId, waiting.jobId, before.jobId],
  )
  const log = await readFile(place.logFile, 'utf8')
  for (const event of ['postgres.ended', 'postgres.reserve_released', 'job.waits_for_room'])
    assert.ok(log.includes(`"event":"${event}"`), event)
})

/** Writes to the WAL directly until it has no space left, which stops PostgreSQL. */
async function useUpTheWriteAheadLog(server: StartedServer): Promise<void> {
  await server.onDatabase(async ({ pool }) => {
    for (let message = 0; message < 20_000; message++) {
      const written = pool.query(`SELECT pg_logical_emit_message(true, 'full', repeat('x', 200000))`)
      const error = await written.then(
        () => null,
        (refused: { code?: string }) => refused,
      )
      if (error !== null && error.code !== '53100') return
    }
    assert.fail('the server wrote on and on')
  })
}

async function workerOf({ pid }: StartedServer): Promise<number> {
  const worker = (await processTree(pid)).find(({ command }) => /^\S*node .*worker-main/.test(command))
  if (worker === undefined) assert.fail('there is no worker process')
  return worker.pid
}

interface Answered {
  status: number
  /** `error` is set if the request was refused. */
  body: { error?: string }
}

async function call(server: StartedServer, method: string, path: string, body?: object): Promise<Answered> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as { error?: string } }
}

async function sitePage(server: StartedServer): Promise<Answered> {
  const { status, text } = await siteRequest(server, DOMAIN, '/page-1')
  return { status, body: { error: text.slice(0, 200) } }
}

async function ready(server: StartedServer): Promise<{ ok: boolean; parts: Record<string, string> }> {
  return (await fetch(`${server.url}/readyz`)).json() as Promise<{
    ok: boolean
    parts: Record<string, string>
  }>
}

async function over(server: StartedServer, jobId: string) {
  return ended(() => server.client.getExport(jobId))
}
