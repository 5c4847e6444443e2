/** Stops PostgreSQL for a minute while readers load pages. No reader notices, and the server recovers by itself. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../../src/base/log.ts'
import { connectionUrl } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { siteRequest, startServer } from '../kit/started-server.ts'
import { until } from '../kit/until.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const DOMAIN = 'stopped.example.com'
const PAGES = 40
/** The other pages are first requested while the database is stopped. */
const KNOWN_PAGES = 20
const READERS = 8
const PAUSE_MS = 5
const AROUND_MS = 10_000
const AWAY_MS = IS_WHOLE ? 60_000 : 15_000

test('site pages are served while the database is stopped, and publishing works once it is back', async (t) => {
  await using cleaning = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-stopped-'))
  cleaning.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  const dataFolder = join(folder, 'data')
  let postgres = await startEmbeddedPostgres({ dataDir: dataFolder, log: silentLog })
  cleaning.defer(() => postgres.stop())
  const url = connectionUrl(postgres.connection)
  const place = { dataFolder, logFile: join(folder, 'octavo.log') }
  // Connected by URL, it is treated as an external database, which the server does not restart.
  const server = cleaning.use(await startServer({ DATABASE_URL: url }, place))
  await writeSite(join(folder, 'site'), smallSite(PAGES))
  const projectId = await server.addProject(DOMAIN, { kind: 'folder', repository: join(folder, 'site') })
  const publish = () => server.client.startDeployment(projectId)
  await publish()
  await until(() => isSo(async () => (await siteRequest(server, DOMAIN, '/page-1')).status === 200))

  const readers = startReaders(server.url, KNOWN_PAGES)
  await sleep(AROUND_MS)
  await postgres.stop()
  readers.readUpTo(PAGES)
  const before = readers.count()
  await sleep(AWAY_MS)
  const away = readers.count() - before
  await assert.rejects(server.client.listDeployments(projectId), { status: 503 })
  postgres = await startEmbeddedPostgres({ dataDir: dataFolder, log: silentLog })
  assert.equal(connectionUrl(postgres.connection), url)
  await sleep(AROUND_MS)
  const { faults, longestMs } = await readers.end()
  t.diagnostic(
    `${readers.count()} pages read, ${away} of them in the ${AWAY_MS / 1000} s without a database; ` +
      `${faults.length} not answered; the longest took ${Math.round(longestMs)} ms`,
  )
  assert.deepEqual(faults, [])
  assert.ok(away > PAGES * READERS, `${away} pages`)

  const known = await server.client.listDeployments(projectId)
  assert.equal(known.deployments.length, 1)
  const { deploymentId } = await publish()
  await until(() =>
    isSo(async () => (await server.client.getDeployment(projectId, deploymentId)).status === 'published'),
  )
})

/** Starts readers that request one page after another over keep-alive connections. */
function startReaders(url: string, known: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS })
  const faults: string[] = []
  let [asked, pages, longestMs, isOver] = [0, known, 0, false]
  const readOn = async () => {
    while (!isOver) {
      const path = `/page-${(asked++ % pages) + 1}`
      const began = performance.now()
      const answer = await read(agent, url, path).catch((error: Error) => error.message)
      longestMs = Math.max(longestMs, performance.now() - began)
      if (answer !== 200) faults.push(`${path}: ${answer}`)
      await sleep(PAUSE_MS)
    }
  }
  const reading = Array.from({ length: READERS }, readOn)
  return {
    count: () => asked,
    readUpTo(count: number) {
      pages = count
    },
    async end() {
      isOver = true
      await Promise.all(reading)
      agent.destroy()
      return { faults, longestMs }
    },
  }
}

async function read(agent: Agent, url: string, path: string): Promise<number | undefined> {
  const asked = request(new URL(path, url), { agent, headers: { host: DOMAIN } }).end()
  const [answer] = await once(asked, 'response')
  await answer.toArray()
  return answer.statusCode
}

/** Counts a refused connection as false, because the server may not be up yet. */
const isSo = (ask: () => Promise<boolean>) => ask().catch(() => false)
