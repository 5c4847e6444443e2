import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sha256 } from '../../src/base/hash.ts'
import { bundleKey } from '../../src/features/export/make-bundle.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { runOctavo } from '../kit/octavo-command.ts'
import { smallSite } from '../kit/site.ts'

let octavo: TestNode
before(async () => {
  octavo = await startTestNode()
  await octavo.addSite('held.example.com', smallSite(1))
  const { jobId } = await octavo.client.startExport({ domain: 'held.example.com' })
  assert.equal((await octavo.finished(jobId)).status, 'completed')
})
after(() => octavo[Symbol.asyncDispose]())

async function call(...args: string[]) {
  const { code, stdout, stderr } = await runOctavo([...args, '--json'], {
    cwd: octavo.dataFolder,
    env: {
      OCTAVO_DATA: octavo.dataFolder,
      DATABASE_URL: octavo.databaseUrl,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      HOME: octavo.dataFolder,
    },
  })
  return { code, stderr, told: stdout === '' ? null : JSON.parse(stdout) }
}

test('storage lists usage by organization and holder, before and after a sweep', async () => {
  const orphan = bundleKey(sha256('nobody'))
  await octavo.node.context.objects.put(orphan, Buffer.from('x'.repeat(100)))
  const { told, code, stderr } = await call('storage')
  assert.equal(code, 0, stderr)
  assert.equal(told.lastSweep, null)
  const held = (holder: string) => told.use.find((use: { holder: string }) => use.holder === holder)
  assert.equal(held('exports').organizationId, octavo.organizationId)
  assert.equal(held('exports').objects, 1)
  assert.deepEqual(held('unneeded'), { organizationId: null, holder: 'unneeded', objects: 1, bytes: 100 })
  assert.ok(held('renderCache').objects > 10)

  assert.equal((await call('storage', 'sweep')).code, 0)
  await octavo.node.context.database.pool.query(
    `UPDATE condemned_objects SET since = since - interval '25 hours' WHERE key = $1`,
    [orphan],
  )
  const dry = await call('storage', 'sweep', '--dry-run')
  assert.deepEqual(dry.told.deleted, { objects: 1, bytes: 100 })
  assert.ok(await octavo.node.context.servedObjects.head(orphan))
  assert.deepEqual((await call('storage', 'sweep')).told.deleted, { objects: 1, bytes: 100 })
  assert.equal(await octavo.node.context.servedObjects.head(orphan), null)
  assert.ok((await call('storage')).told.lastSweep)
})

test('storage keep sets the retention of an organization and writes an audit row', async () => {
  const retention = async () => {
    const { rows } = await octavo.node.context.database.pool.query(`SELECT retention FROM organizations`)
    return rows[0].retention
  }
  assert.equal((await call('storage', 'keep', 'exports', '30')).code, 0)
  assert.equal((await call('storage', 'keep', 'audit', '0')).code, 0)
  assert.deepEqual(await retention(), { exports: 30, audit: 0 })
  assert.equal((await call('storage', 'keep', 'exports', 'default')).code, 0)
  assert.deepEqual(await retention(), { audit: 0 })
  const { rows } = await octavo.node.context.database.pool.query(
    `SELECT details FROM audit_rows WHERE action = 'organization.retention_changed' ORDER BY number`,
  )
  assert.deepEqual(rows[0].details, { exports: { from: null, to: 30 } })
  assert.equal(rows.length, 3)
})

test('storage keep rejects an unknown kind and an invalid number of days', async () => {
  const kind = await call('storage', 'keep', 'renderCache', '3')
  assert.equal(kind.code, 2)
  assert.match(kind.stderr, /The kinds are exports, deployments, mirrors,/)
  const days = await call('storage', 'keep', 'exports', 'a-week')
  assert.equal(days.code, 2)
  assert.match(days.stderr, /whole number up to 3650, 0 for forever, or default/)
})
