/** Ten thousand exports, deployments and deletions, with a sweeper that is killed thirty times. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { churn } from './churn.ts'

test('disk: 10,000 actions with 30 kills of the sweeper leave what is needed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-churn-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = { kind: 'disk', folder, publicUrl: 'http://localhost', secret: 'sixteen characters' } as const
  const { deleted, stored } = await churn({ store, actions: 10_000, kills: 30 })
  t.diagnostic(`${deleted} objects deleted, ${stored} bytes left`)
})
