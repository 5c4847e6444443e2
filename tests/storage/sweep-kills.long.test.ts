import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { startBucket } from '../objects/bucket.ts'
import { churn } from './churn.ts'

const ON_DISK = IS_WHOLE ? { actions: 10_000, kills: 30 } : { actions: 400, kills: 3 }
const IN_BUCKET = IS_WHOLE ? { actions: 1000, kills: 10 } : { actions: 100, kills: 2 }

test('disk: no needed object is lost when the sweeper is killed during exports, deployments and deletions', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-churn-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = { kind: 'disk', folder, publicUrl: 'http://localhost', secret: 'sixteen characters' } as const
  const { deleted, stored, wanted } = await churn({ store, ...ON_DISK })
  t.diagnostic(`${deleted} objects deleted, ${stored} bytes left, ${wanted} of them needed`)
})

test('s3: no needed object is lost when the sweeper is killed during exports, deployments and deletions', async (t) => {
  const { deleted, stored, wanted } = await churn({ store: await startBucket(t, 'lists'), ...IN_BUCKET })
  t.diagnostic(`${deleted} objects deleted, ${stored} bytes left, ${wanted} of them needed`)
})
