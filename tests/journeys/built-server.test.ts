/** The output of `npm run build`, started like an installed package: calls to other servers, and file permissions. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestRepository, startGitServer } from '../kit/git.ts'
import { type RecordingServer, startRecordingServer } from '../kit/recording-server.ts'
import { BUILT_PROGRAM, type StartedServer, startServer } from '../kit/started-server.ts'
import { ended } from '../kit/until.ts'

const opened = new AsyncDisposableStack()
const DOMAIN = 'docs.example.com'
let dataFolder: string
let api: RecordingServer
let server: StartedServer
let projectId: string

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-built-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  dataFolder = join(folder, 'data')
  api = opened.use(await startRecordingServer())
  const description = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: `${api.url}/v1` }],
    paths: { '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'Done' } } } } },
  }
  api.answers.set('/openapi.json', { parts: [JSON.stringify(description)] })
  const repository = opened.use(
    await createTestRepository({
      'docs.json': JSON.stringify({
        ...{ theme: 'mint', name: 'Acme', colors: { primary: '#5B5BD6' } },
        api: { openapi: `${api.url}/openapi.json` },
        navigation: { pages: ['index', 'GET /orders'] },
      }),
      'index.mdx': '---\ntitle: Introduction\n---\n\nWelcome.\n',
    }),
  )
  const git = opened.use(await startGitServer({ folder: dirname(repository.folder) }))
  const place = { dataFolder, logFile: join(folder, 'log'), program: BUILT_PROGRAM }
  const hosts = ['GIT', 'REMOTE_FILE', 'PLAYGROUND'].map((name) => [
    `OCTAVO_${name}_PRIVATE_HOSTS`,
    '127.0.0.1:*',
  ])
  server = opened.use(
    await startServer({ ...Object.fromEntries(hosts), OCTAVO_GIT_ALLOW_HTTP: 'true' }, place),
  )
  const source = { kind: 'git', repository: `${git.url}/${basename(repository.folder)}` } as const
  projectId = await server.addProject(DOMAIN, source)
})
after(() => opened.disposeAsync())

test('publishes a site from its git repository with an OpenAPI file from another server, and exports it', async () => {
  const { client } = server
  const started = await client.startDeployment(projectId)
  const deployment = await ended(() => client.getDeployment(projectId, started.deploymentId))
  assert.deepEqual([deployment.status, deployment.error], ['published', null])
  const { jobId } = await client.startExport({ domain: DOMAIN })
  const job = await ended(() => client.getExport(jobId))
  assert.deepEqual([job.status, job.error], ['completed', null])
  assert.ok(api.requests.some(({ target }) => target === '/openapi.json'))
})

test('a playground request reaches the target API', async () => {
  const { site_id: siteId } = await server.onDatabase(({ queries }) =>
    queries.selectFrom('projects').select('site_id').where('id', '=', projectId).executeTakeFirstOrThrow(),
  )
  const answer = await fetch(`${server.url}/_octavo/sites/${siteId}/playground`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method: 'GET', url: `${api.url}/v1/orders` }),
  })
  assert.match(await answer.text(), /event: head\ndata: \{"status":200/)
})

test('the data folder is not accessible to other users of the machine', {
  skip: process.platform === 'win32',
}, async () => {
  const open: string[] = []
  let mirrors = 0
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  for (const entry of [...entries.map(({ parentPath, name }) => join(parentPath, name)), dataFolder]) {
    const found = await stat(entry).catch(() => null) // Temporary files go meanwhile.
    if (found === null) continue
    if (/\.(?:pack|idx)$/.test(entry)) mirrors++
    if ((found.mode & 0o077) !== 0) open.push(`${relative(dataFolder, entry)} ${found.mode.toString(8)}`)
  }
  assert.ok(mirrors > 0, 'the repository was copied into it')
  // As root, PostgreSQL runs under its own account, which must be able to traverse to its folder.
  assert.deepEqual(open, process.getuid?.() === 0 ? ['postgres 40711'] : [])
})
