import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findProject } from '../../src/features/projects/projects.ts'
import { addOrganization, addProject } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { type Ended, runOctavo } from '../kit/octavo-command.ts'

let database: TestDatabase
let folder: string
let organizationId: string

before(async () => {
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'octavo-operator-'))
  await mkdir(join(folder, 'data'))
  organizationId = await addOrganization(database)
  for (const name of ['one', 'two', 'three'])
    await addProject(database, organizationId, `${name}.example.com`)
})
after(async () => {
  await rm(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

const octavo = (...args: string[]): Promise<Ended> => octavoWith({}, ...args)

function octavoWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return runOctavo(args, {
    cwd: folder,
    env: {
      DATABASE_URL: database.url,
      OCTAVO_DATA: join(folder, 'data'),
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_LOG: 'silent',
      ...env,
    },
  })
}

async function asJson<Document>(...args: string[]): Promise<{ code: number | null; document: Document }> {
  const { code, stdout, stderr } = await octavo(...args, '--json')
  assert.notEqual(stdout, '', stderr)
  return { code, document: JSON.parse(stdout) as Document }
}

interface Verdict {
  ok: boolean
  organizations: { rows: number; head: { number: number; hash: string } | null; faults: string[] }[]
}

const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)

test('audit verify reports an intact log, prints an anchor and checks it on a later run', async () => {
  const { code, stdout, stderr } = await octavo('audit', 'verify')
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(`^${organizationId}: 4 rows, intact\\n  anchor 4:[0-9a-f]{64}\\n$`))
  assert.match(stderr, /Store the anchors elsewhere/)
  const [, anchor = ''] = /anchor (\S+)/.exec(stdout) ?? []
  assert.equal((await octavo('audit', 'verify', '--org', organizationId, '--anchor', anchor)).code, 0)
  const other = `${anchor.slice(0, -1)}${anchor.endsWith('0') ? '1' : '0'}`
  const cut = await octavo('audit', 'verify', '--org', organizationId, '--anchor', other)
  assert.equal(cut.code, 1)
  assert.match(cut.stdout, /NOT intact/)
})

test('audit verify and audit prune exit with code 2 for invalid arguments', async () => {
  for (const [line, words] of [
    ['audit verify --anchor 1:00', /--anchor must be a number, a colon/],
    [`audit verify --anchor 1:${'0'.repeat(64)}`, /--anchor requires --org/],
    ['audit prune', /--before/],
    ['audit prune --before 2026-02-30', /--before must be a valid date/],
  ] as const) {
    const { code, stdout, stderr } = await octavo(...line.split(' '))
    assert.deepEqual([code, stdout], [2, ''], line)
    assert.match(stderr, words)
  }
  const unknown = await octavo('audit', 'verify', '--org', 'org_none')
  assert.equal(unknown.code, 1)
})

test('audit prune removes old rows, and audit verify passes for the remaining ones', async () => {
  const pruned = await addOrganization(database)
  await addProject(database, pruned, 'pruned.example.com')
  const prune = async (before: string) => {
    const { document } = await asJson<{ organizations: unknown }>(
      ...['audit', 'prune', '--org', pruned, '--before', before],
    )
    return document.organizations
  }
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(await prune('2020-01-01'), [{ organizationId: pruned, rows: 0 }])
  assert.deepEqual(await prune(tomorrow), [{ organizationId: pruned, rows: 2 }])
  const { code, stdout } = await octavo('audit', 'verify', '--org', pruned)
  assert.equal(code, 0)
  // The remaining row records the removal.
  assert.match(stdout, /: 1 rows, from row 3, intact\n {2}anchor 3:/)
  const { document } = await asJson<Verdict>('audit', 'verify')
  assert.equal(document.organizations.length, 2, 'the rows of others are left alone')
  assert.ok(document.organizations.some(({ rows }) => rows === 4))
})

test('audit verify detects a changed row and exits with code 1', async () => {
  await sql('ALTER TABLE audit_rows DISABLE TRIGGER USER')
  await sql(
    `UPDATE audit_rows SET actor = 'usr_nobody' WHERE id = (SELECT max(id) FROM audit_rows WHERE organization_id = $1)`,
    [organizationId],
  )
  await sql('ALTER TABLE audit_rows ENABLE TRIGGER USER')
  const { code, document } = await asJson<Verdict>('audit', 'verify', '--org', organizationId)
  assert.deepEqual([code, document.ok], [1, false])
  assert.equal(document.organizations[0]?.faults.length, 1)
})

test('projects delete requires the exact project name, and projects restore brings the project back', async () => {
  const { id } = await addProject(database, organizationId, 'short-lived.example.com')
  const wrong = await octavo('projects', 'delete', id, '--confirm', 'another')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /--confirm must be the exact name/)
  const name = (await findProject(database.queries, id))?.name ?? ''
  const deleted = await octavo('projects', 'delete', id, '--confirm', name)
  assert.match(deleted.stdout, /is deleted; its site is offline/, deleted.stderr)
  assert.equal(await findProject(database.queries, id), null)
  const { stdout } = await octavo('projects', 'deleted', '--org', organizationId)
  assert.match(stdout, new RegExp(id))
  const restored = await octavo('projects', 'restore', id)
  assert.match(restored.stdout, /is restored/, restored.stderr)
  assert.equal((await findProject(database.queries, id))?.name, name)
  assert.match(
    (await octavo('projects', 'restore', 'prj_none')).stderr,
    /There is no deleted project prj_none/,
  )
})

test('projects archive rejects conflicting options and takes a site offline, and unarchive reverses it', async () => {
  const { id } = await addProject(database, organizationId, 'resting.example.com')
  const both = await octavo('projects', 'archive', id, '--not-served', '--feedback')
  assert.equal(both.code, 1)
  assert.match(both.stderr, /Remove --not-served or --feedback/)
  const archived = await octavo('projects', 'archive', id, '--not-served')
  assert.match(archived.stdout, /is archived; its site is offline/, archived.stderr)
  const { stdout } = await octavo('projects', 'archived', '--org', organizationId)
  assert.match(stdout, new RegExp(`${id}.*offline`))
  const taken = await octavo('projects', 'unarchive', id)
  assert.match(taken.stdout, /is no longer archived/, taken.stderr)
  for (const none of [id, 'prj_none'])
    assert.match((await octavo('projects', 'unarchive', none)).stderr, /There is no archived project/)
})

test('projects transfer lists what stays behind, and moves the project to another organization', async () => {
  const { id } = await addProject(database, organizationId, 'going.example.com')
  const to = await addOrganization(database)
  const asked = await octavo('projects', 'transfer', id)
  assert.match(asked.stdout, /0 feedback entries, 0 deployments/, asked.stderr)
  assert.match(asked.stdout, /projects transfer prj_\w+ --to/)
  assert.equal((await findProject(database.queries, id))?.organizationId, organizationId)
  const moved = await octavo('projects', 'transfer', id, '--to', to)
  assert.match(moved.stdout, new RegExp(`now belongs to .* \\(${to}\\)`), moved.stderr)
  const project = await findProject(database.queries, id)
  assert.deepEqual([project?.organizationId, project?.servedDomains], [to, ['going.example.com']])
  const again = await octavo('projects', 'transfer', id, '--to', to)
  assert.match(again.stderr, /already belongs to this organization/)
})

test('members invite creates a link only when the URL of the server is known', async () => {
  const invite = [
    'members',
    'invite',
    '--email',
    'ada@example.com',
    '--role',
    'editor',
    '--org',
    organizationId,
  ]
  const { code, stdout, stderr } = await octavoWith({ PORT: '0' }, ...invite)
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr, 'Links contain the URL of the server. Start it first, or set OCTAVO_PUBLIC_URL.\n')
  const { rows } = await sql('SELECT 1 FROM invitations')
  assert.equal(rows.length, 0)
  const invited = await octavoWith({ OCTAVO_PUBLIC_URL: 'https://octavo.example.com' }, ...invite)
  assert.match(invited.stdout, /https:\/\/octavo\.example\.com\//, invited.stderr)
})

test('projects vouch adds a domain, and takes it from another project only with --take', async () => {
  const other = await addOrganization(database)
  const holder = await addProject(database, organizationId, 'held.example.com')
  const wanting = await addProject(database, other, 'wanting.example.com')
  const added = await octavo('projects', 'vouch', wanting.id, 'New.Example.com.')
  assert.equal(added.stdout, 'wanting.example.com is served at new.example.com.\n', added.stderr)
  const served = async (id: string) => (await findProject(database.queries, id))?.servedDomains
  assert.deepEqual(await served(wanting.id), ['wanting.example.com', 'new.example.com'])
  const held = await octavo('projects', 'vouch', wanting.id, 'held.example.com')
  assert.equal(held.code, 1)
  assert.match(held.stderr, new RegExp(`The project ${holder.id} is served at held.example.com: use --take`))
  const taken = await octavo('projects', 'vouch', wanting.id, 'held.example.com', '--take')
  assert.equal(taken.code, 0, taken.stderr)
  assert.deepEqual([await served(holder.id), (await served(wanting.id))?.at(-1)], [[], 'held.example.com'])
  const { stdout } = await octavo('projects', 'list', '--org', organizationId)
  assert.match(stdout, /held\.example\.com \(not verified\)/)
  assert.match(
    (await octavo('projects', 'vouch', 'none.example.com', 'x.example.com')).stderr,
    /There is no project/,
  )
  assert.match((await octavo('projects', 'vouch', wanting.id, 'https://x')).stderr, /is a URL/)
})
