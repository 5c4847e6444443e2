import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  backUp,
  moveDatabase,
  openBackups,
  openInstallation,
  restoreInstallation,
  startBackups,
} from '../../src/app/backups.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { startNode } from '../../src/app/node.ts'
import { addOrganization } from '../../src/app/operator/administration.ts'
import { listBackups, readManifest } from '../../src/backup/manifest.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { silentLog } from '../../src/base/log.ts'
import { connectionUrl, type Database, openDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openTestDatabase } from '../kit/database.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'

const DOMAIN = 'backed-up.localhost'
const PASSPHRASE = 'a passphrase of the test'

let node: TestNode
let scratch: string
let projectId: string
let siteId: string
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'octavo-backup-'))
  node = await startTestNode({ OCTAVO_LIMIT_FEEDBACK: '100000/60' })
  const site = await node.addSite(DOMAIN, {
    'docs.json': JSON.stringify({
      name: 'Backed up',
      theme: 'mint',
      colors: { primary: '#123456' },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': '---\ntitle: First\n---\n\nWords.\n',
  })
  projectId = site.projectId
  const { queries } = node.node.context.database
  const row = queries.selectFrom('projects').select('site_id').where('id', '=', projectId)
  siteId = (await row.executeTakeFirstOrThrow()).site_id
  const { jobId } = await node.client.startExport({ domain: DOMAIN })
  assert.equal((await node.finished(jobId)).status, 'completed')
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true, force: true })
})

/** Returns the settings of another installation, or of the test node with another backup target. */
function settings(env: Record<string, string>) {
  return loadConfig({}, { OCTAVO_LOG: 'silent', OCTAVO_ALLOW_FSYNC_OFF: 'true', ...env })
}

const folderOf = (name: string) => join(scratch, name)

async function makeBackup(target: string, passphrase = '', retained = 7) {
  const { config, secrets } = settings({
    OCTAVO_BACKUP_TARGET: folderOf(target),
    OCTAVO_BACKUP_PASSPHRASE: passphrase,
    OCTAVO_BACKUP_RETAIN: String(retained),
  })
  await using store = await openBackups(config, secrets, { mayCreate: true })
  const { context } = node.node
  const installation = {
    context: { ...context, config },
    objects: context.servedObjects,
    secret: context.secret,
  }
  const made = await backUp(installation, store)
  assert.ok(made !== null)
  return made
}

async function withBackups<Result>(
  target: string,
  work: (store: Awaited<ReturnType<typeof openBackups>>) => Promise<Result>,
  passphrase = '',
): Promise<Result> {
  const { config, secrets } = settings({
    OCTAVO_BACKUP_TARGET: folderOf(target),
    OCTAVO_BACKUP_PASSPHRASE: passphrase,
  })
  await using store = await openBackups(config, secrets, { mayCreate: false })
  return await work(store)
}

async function restoreInto(
  data: string,
  databaseUrl: string,
  target: string,
  env: Record<string, string> = {},
) {
  const { config, secrets } = settings({
    OCTAVO_DATA: folderOf(data),
    DATABASE_URL: databaseUrl,
    OCTAVO_BACKUP_TARGET: folderOf(target),
    ...env,
  })
  await using store = await openBackups(config, secrets, { mayCreate: false })
  const manifest = await readManifest(store)
  return await restoreInstallation(config, secrets, { store, manifest, report: () => undefined })
}

/** Returns a digest of the rows of each table, including the waiting jobs of the queue. */
async function digests({ pool }: Database): Promise<Map<string, string>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
       AND relname NOT IN ('migrations', 'clock') ORDER BY 1`,
  )
  const found = new Map<string, string>()
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ digest: string }>(
      `SELECT md5(string_agg(r::text, '|' ORDER BY r::text)) || ' ' || count(*) AS digest FROM "${name}" AS r`,
    )
    found.set(name, rows[0]?.digest ?? 'empty')
  }
  return found
}

test('a backup made during writes has every vote acknowledged before it, and each object', async () => {
  const votes: string[] = []
  let isOver = false
  const voting = (async () => {
    while (!isOver) {
      const id = crypto.randomUUID()
      const answer = await fetch(`${node.url}/_octavo/sites/${siteId}/feedback`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: `https://${DOMAIN}` },
        body: JSON.stringify({ id, path: `/${votes.length}`, helpful: true }),
      })
      assert.equal(answer.status, 201)
      votes.push(((await answer.json()) as { id: string }).id)
    }
  })()
  await until(() => votes.length > 5)
  const acknowledged = [...votes]
  const { manifest } = await makeBackup('plain')
  isOver = true
  await voting
  assert.deepEqual(manifest.objects.missing, [])
  await using empty = await openTestDatabase({ isEmpty: true })
  const secret = { OCTAVO_SECRET: node.node.context.secret }
  const restored = await restoreInto('data-plain', empty.url, 'plain', secret)
  assert.equal(restored.objects, manifest.objects.list.rows)
  const rows = await empty.queries.selectFrom('feedback').select('id').execute()
  const ids = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    acknowledged.filter((id) => !ids.has(id)),
    [],
  )
})

test('a restored installation has the rows of the original and accepts its API keys', async () => {
  await makeBackup('sealed', PASSPHRASE)
  const expected = await digests(node.node.context.database)
  await using empty = await openTestDatabase({ isEmpty: true })
  const env = { OCTAVO_BACKUP_PASSPHRASE: PASSPHRASE }
  await restoreInto('data-sealed', empty.url, 'sealed', env)
  assert.deepEqual(await digests(empty), expected)
  const { config, secrets } = settings({
    PORT: '0',
    OCTAVO_DATA: folderOf('data-sealed'),
    DATABASE_URL: empty.url,
  })
  const copy = await startNode(config, secrets)
  try {
    const answer = await fetch(`${copy.context.publicUrl()}/v1/static-export/jobs`, {
      headers: { authorization: `Bearer ${node.key}` },
    })
    assert.equal(answer.status, 200)
    const { jobs } = (await answer.json()) as { jobs: { domain: string }[] }
    assert.equal(jobs[0]?.domain, DOMAIN)
    const { queries } = copy.context.database
    const row = await queries
      .selectFrom('projects')
      .select('id')
      .where('id', '=', projectId)
      .executeTakeFirst()
    assert.equal(row?.id, projectId)
  } finally {
    await copy.stop()
  }
})

test('a restore resumes after an interruption and is refused for a database with data', async () => {
  await makeBackup('again', PASSPHRASE)
  const env = { OCTAVO_BACKUP_PASSPHRASE: PASSPHRASE }
  await using empty = await openTestDatabase({ isEmpty: true })
  await assert.rejects(
    withBackups(
      'again',
      async (store) => {
        const { config, secrets } = settings({
          OCTAVO_DATA: folderOf('data-again'),
          DATABASE_URL: empty.url,
          ...env,
        })
        const manifest = await readManifest(store)
        const report = ({ stage }: { stage: string }) => {
          if (stage === 'rows') throw new Error('interrupted')
        }
        await restoreInstallation(config, secrets, { store, manifest, report })
      },
      PASSPHRASE,
    ),
    /interrupted/,
  )
  await restoreInto('data-again', empty.url, 'again', env)
  await assert.rejects(restoreInto('data-again', empty.url, 'again', env), /already contains an installation/)
})

test('only the passphrase opens encrypted backups, and only those include the server secret', async () => {
  await makeBackup('locked', PASSPHRASE)
  await makeBackup('open')
  const read = (target: string, passphrase: string) =>
    withBackups(target, (store) => readManifest(store), passphrase)
  await assert.rejects(read('locked', 'another passphrase'), /is not the passphrase/)
  await assert.rejects(read('locked', ''), /Set OCTAVO_BACKUP_PASSPHRASE/)
  await assert.rejects(read('open', PASSPHRASE), /are not encrypted/)
  assert.equal((await read('locked', PASSPHRASE)).secret, node.node.context.secret)
  assert.equal((await read('open', '')).secret, null)
  const { secret } = node.node.context
  for (const file of await readdir(scratch, { recursive: true, withFileTypes: true }))
    if (file.isFile() && /locked|open$/.test(file.parentPath))
      assert.ok(!(await readFile(join(file.parentPath, file.name))).includes(secret), file.name)
  await using empty = await openTestDatabase({ isEmpty: true })
  await assert.rejects(restoreInto('data-open', empty.url, 'open'), /does not include the secret/)
  const wrong = { OCTAVO_SECRET: 'x'.repeat(40) }
  await assert.rejects(restoreInto('data-open', empty.url, 'open', wrong), /does not match the secret/)
})

test('verification names changed and missing files, and the next backup copies the objects again', async () => {
  for (const [target, passphrase] of [
    ['damaged-plain', ''],
    ['damaged-sealed', PASSPHRASE],
  ] as const) {
    const { manifest } = await makeBackup(target, passphrase)
    const root = join(folderOf(target), 'objects')
    const files = (await readdir(root, { recursive: true })).filter((name) => /@$/.test(name)).sort()
    const blob = files.find((name) => name.startsWith('objects/blobs/')) as string
    const bundle = files.find((name) => name.startsWith('objects/bundles/')) as string
    const rows = `backups/${manifest.id}/audit_rows.zst@`
    const flip = async (name: string, at: number) => {
      const bytes = await readFile(join(root, name))
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      await writeFile(join(root, name), bytes)
    }
    await flip(blob, 30)
    await flip(rows, 40)
    await rm(join(root, bundle))
    const verified = await withBackups(target, (store) => verifyBackup(store, manifest), passphrase)
    const asKey = (name: string) => name.slice(0, -1)
    assert.deepEqual(verified.damaged.sort(), [asKey(rows), asKey(blob), asKey(bundle)].sort())
    const next = await makeBackup(target, passphrase)
    const again = await withBackups(target, (store) => verifyBackup(store, next.manifest), passphrase)
    assert.deepEqual(again.damaged, [])
  }
})

test('retains the newest backups with all they need, and deletes older and unfinished ones', async () => {
  const first = await makeBackup('few', '', 2)
  const { jobId } = await node.client.startExport({ domain: DOMAIN, version: 'second' })
  await node.finished(jobId)
  await makeBackup('few', '', 2)
  const third = await makeBackup('few', '', 2)
  assert.deepEqual(third.deleted, [first.manifest.id])
  await withBackups('few', async (store) => {
    const old = 'backups/2020-01-01T00-00-00-000Z/feedback.zst'
    const orphan = `objects/blobs/${'ab'.repeat(32)}.gz`
    await store.put(old, Buffer.from('unfinished'))
    await store.put(orphan, Buffer.from('needed by none'))
    const last = await makeBackup('few', '', 2)
    const ids = await listBackups(store)
    assert.deepEqual(ids, [third.manifest.id, last.manifest.id])
    const keys: string[] = []
    for await (const { key } of store.list('')) keys.push(key)
    assert.ok(!keys.includes(old) && !keys.includes(orphan))
    for (const id of ids)
      assert.deepEqual((await verifyBackup(store, await readManifest(store, id))).damaged, [])
  })
})

test('rejects a backup store that belongs to another installation', async () => {
  await makeBackup('mine')
  await using other = await startTestNode()
  const { config, secrets } = settings({ OCTAVO_BACKUP_TARGET: folderOf('mine') })
  await using store = await openBackups(config, secrets, { mayCreate: true })
  const { context } = other.node
  await assert.rejects(
    backUp({ context, objects: context.servedObjects, secret: context.secret }, store),
    /another installation/,
  )
})

test('the backup command accepts only the secret of the server', async () => {
  const open = async (env: Record<string, string>) => {
    const { config, secrets } = settings({ DATABASE_URL: node.databaseUrl, ...env })
    await using installation = await openInstallation(config, secrets)
    return installation.secret
  }
  assert.equal(await open({ OCTAVO_DATA: node.dataFolder }), node.node.context.secret)
  const elsewhere = { OCTAVO_DATA: folderOf('elsewhere') }
  await assert.rejects(open(elsewhere), /does not match the secret of the server/)
  await assert.rejects(
    open({ ...elsewhere, OCTAVO_SECRET: 'x'.repeat(40) }),
    /does not match the secret of the server/,
  )
})

test('a scheduled backup is made when it is due, and not again on a restart', async () => {
  const { config, secrets } = settings({ OCTAVO_BACKUP_TARGET: folderOf('regular') })
  const { context } = node.node
  const made = () => withBackups('regular', (store) => listBackups(store)).catch(() => [])
  for (let start = 0; start < 2; start++) {
    await using _backups = startBackups({ ...context, config }, secrets)
    await until(async () => (await made()).length > 0)
  }
  assert.equal((await made()).length, 1)
  const figure = (await context.metrics.snapshot()).find(({ name }) => name === 'octavo_backup_age_seconds')
  assert.ok((figure?.values[0]?.value ?? -1) >= 0)
})

test('moves an embedded database to another PostgreSQL with all of its rows', async () => {
  const { config, secrets } = settings({ OCTAVO_DATA: folderOf('embedded') })
  const server = await startEmbeddedPostgres({ dataDir: config.dataFolder, log: silentLog })
  const url = connectionUrl(server.connection)
  const source = await openDatabase({ url, poolSize: 2, log: silentLog })
  await migrate(source, silentLog)
  await addOrganization({ ...node.node.context, database: source }, { name: 'Moved', plan: 'pro' })
  const expected = await digests(source)
  await source[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await using target = await openTestDatabase({ isEmpty: true })
  const allowed = { ...config, allowFsyncOff: true }
  assert.ok((await moveDatabase(allowed, secrets, target.url)) > 0)
  assert.deepEqual(await digests(target), expected)
  await assert.rejects(moveDatabase(allowed, secrets, target.url), /already contains an installation/)
})
