/** The short form of sweep-kills.long.test.ts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBucket } from '../objects/bucket.ts'
import { churn } from './churn.ts'

test('disk: 400 exports, deployments and deletions with 3 kills of the sweeper leave what is needed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-churn-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = { kind: 'disk', folder, publicUrl: 'http://localhost', secret: 'sixteen characters' } as const
  const { deleted, stored } = await churn({ store, actions: 400, kills: 3 })
  t.diagnostic(`${deleted} objects deleted, ${stored} bytes left`)
})

test('s3: 100 exports, deployments and deletions with 2 kills of the sweeper leave what is needed', async (t) => {
  const { deleted, stored } = await churn({ store: await startBucket(t, 'lists'), actions: 100, kills: 2 })
  t.diagnostic(`${deleted} objects deleted, ${stored} bytes left`)
})
