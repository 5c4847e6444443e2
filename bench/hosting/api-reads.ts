/**
 * Measures authenticated reads of the API by `octavo start` with logging on: pages of feedback, which are rate-limited
 * by organization, and a list of deployments, which is rate-limited by key. The callers are one, sixteen with the same
 * request, sixteen that never send the same request at once, and sixteen organizations. Requires wrk.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/app/config/config.ts'
import { addKey, addOrganization, addProject } from '../../src/app/operator/administration.ts'
import { putRows } from '../../tests/feedback/feedback-scene.ts'
import { smallSite, writeSite } from '../../tests/kit/site.ts'
import { startServer } from '../../tests/kit/started-server.ts'
import { type Figures, loadOf, median } from './load.ts'

const SECONDS = Number(process.env.OCTAVO_BENCH_SECONDS ?? 5)
const CALLERS = 16
const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 3)

await using running = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
running.defer(() => rm(folder, { recursive: true, force: true }))
const place = { dataFolder: join(folder, 'data'), logFile: join(folder, 'log'), logLevel: 'info' } as const
const server = running.use(await startServer({ OCTAVO_LIMIT_ANALYTICS: '1000000/1' }, place))
const site = join(folder, 'site')
await writeSite(site, smallSite(1))
const projectId = await server.addProject('docs.example.com', { kind: 'folder', repository: site })
const entries = Array.from({ length: 50 }, (_, index) => ({ path: `/page-${index}`, comment: 'It helped.' }))
await server.onDatabase((database) => putRows(database, projectId, entries))

const ASKED = {
  '50 entries of feedback': `/v1/analytics/${projectId}/feedback?limit=50`,
  'one entry of feedback': `/v1/analytics/${projectId}/feedback?limit=1`,
  'no deployments': `/v1/deployments/${projectId}`,
}

/** Rotates through more page sizes than there are callers, so that all concurrent requests differ. */
const script = join(folder, 'lists.lua')
await writeFile(
  script,
  `local asked = 0
  function request()
    asked = asked + 1
    return wrk.format(nil, '/v1/analytics/${projectId}/feedback?limit=' .. (20 + asked % 30))
  end`,
)

/** Rotates through the organizations. */
const organizations = join(folder, 'organizations.lua')
const others = await Promise.all(Array.from({ length: CALLERS }, (_, index) => addOther(`other${index}`)))
await writeFile(
  organizations,
  `local asked = 0
  local requests = {}
  local keys = {${others.map(({ key }) => `'${key}'`).join(', ')}}
  local paths = {${others.map(({ path }) => `'${path}'`).join(', ')}}
  function request()
    asked = asked % ${CALLERS} + 1
    requests[asked] = requests[asked] or wrk.format('GET', paths[asked], { Authorization = 'Bearer ' .. keys[asked] })
    return requests[asked]
  end`,
)

process.stdout.write(
  '| asked | callers | requests a second | p99 ms | processor µs a request |\n|---|---|---|---|---|\n',
)
for (const callers of [1, CALLERS])
  for (const [name, path] of Object.entries(ASKED)) await tell(name, path, callers)
await tell('20 to 49 entries, each caller others', ASKED['50 entries of feedback'], CALLERS, { script })
await tell('50 entries, each caller another organization', '/', CALLERS, { script: organizations })

function addOther(name: string): Promise<{ key: string; path: string }> {
  const { config } = loadConfig({}, { OCTAVO_DATA: place.dataFolder })
  return server.onDatabase(async (database) => {
    const deps = { database, config }
    const { id: organizationId } = await addOrganization(deps, { name, plan: 'enterprise' })
    const { text } = await addKey(deps, { organizationId, name })
    const source = { kind: 'folder', repository: site } as const
    const { id } = await addProject(deps, { organizationId, name, domains: [`${name}.example.com`], source })
    await putRows(database, id, entries)
    return { key: text, path: `/v1/analytics/${id}/feedback?limit=50` }
  })
}

async function tell(name: string, path: string, callers: number, more: { script?: string } = {}) {
  const load = { url: server.url + path, pid: server.pid, seconds: SECONDS, connections: callers, ...more }
  const found: Figures[] = []
  for (let round = 0; round < ROUNDS; round++)
    found.push(await loadOf(load, [`Authorization: Bearer ${server.key}`]))
  const middle = (field: 'perSecond' | 'p99' | 'cpu') => median(found.map((one) => one[field]))
  const cells = [
    name,
    callers,
    Math.round(middle('perSecond')),
    middle('p99').toFixed(2),
    Math.round(middle('cpu')),
  ]
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
