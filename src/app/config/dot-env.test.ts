import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ConfigError, loadDotEnv } from './config.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-env-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('the environment overrides .env, even with an empty variable, and unrelated names are ignored', async () => {
  await writeFile(
    join(folder, '.env'),
    'PORT=5000\nHOST="0.0.0.0"\n# a remark\nOCTAVO_MODEL=ollama:x\nexport OCTAVO_KEY=oct_1\nNODE_OPTIONS=--x\nOCTAVO_PROT=1\n',
  )
  const env: Record<string, string | undefined> = { PORT: '4001', OCTAVO_MODEL: '' }
  const found = loadDotEnv(folder, env)
  assert.deepEqual(env, { PORT: '4001', OCTAVO_MODEL: '', HOST: '0.0.0.0', OCTAVO_KEY: 'oct_1' })
  assert.deepEqual(found?.applied.sort(), ['HOST', 'OCTAVO_KEY'])
  assert.deepEqual(found?.unknown, ['OCTAVO_PROT'])
})

test('a folder without .env returns null, and an unreadable or oversized .env is an error', async () => {
  const empty = join(folder, 'empty')
  await mkdir(join(folder, 'wrong', '.env'), { recursive: true })
  await mkdir(empty)
  assert.equal(loadDotEnv(empty, {}), null)
  assert.throws(() => loadDotEnv(join(folder, 'wrong'), {}), ConfigError)
  await writeFile(join(empty, '.env'), 'A=1\n'.repeat(400_000))
  assert.throws(() => loadDotEnv(empty, {}), /is larger than/)
})
