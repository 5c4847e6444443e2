import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { acquireFileLock } from '../base/files/file-lock.ts'
import { sweepMirrors } from './old-mirrors.ts'

const { signal } = new AbortController()
const DAY_SECONDS = 86_400

function makeMirrors(t: TestContext, ages: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-mirrors-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [path, days] of Object.entries(ages)) {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, 'HEAD'), 'ref: refs/heads/main\n')
    const at = Date.now() / 1000 - days * DAY_SECONDS
    utimesSync(join(folder, path), at, at)
  }
  return folder
}

test('sweeps mirrors past the retention of their project, and those without a project after a day', async (t) => {
  const folder = makeMirrors(t, {
    'prj_short/a.git': 8,
    'prj_short/b.git': 6,
    'prj_long/a.git': 400,
    'prj_ever/a.git': 4000,
    'prj_gone/a.git': 2,
  })
  const daysOf = new Map([
    ['prj_short', 7],
    ['prj_long', 401],
    ['prj_ever', 0],
  ])
  assert.equal(await sweepMirrors(folder, daysOf, signal), 2)
  assert.deepEqual(readdirSync(folder).sort(), ['prj_ever', 'prj_long', 'prj_short'])
  assert.deepEqual(readdirSync(join(folder, 'prj_short')), ['b.git'])
})

test('the sweep waits for a fetch in progress and keeps a mirror that the fetch has touched', async (t) => {
  const folder = makeMirrors(t, { 'prj_a/a.git': 8 })
  const gitDir = join(folder, 'prj_a', 'a.git')
  const lock = await acquireFileLock(`${gitDir}.lock`)
  const sweeping = sweepMirrors(folder, new Map([['prj_a', 7]]), signal)
  utimesSync(gitDir, new Date(), new Date())
  await lock[Symbol.asyncDispose]()
  assert.equal(await sweeping, 0)
  assert.deepEqual(readdirSync(join(folder, 'prj_a')), ['a.git'])
})

test('a missing mirror folder is not an error', async () => {
  assert.equal(await sweepMirrors('/nowhere/mirrors', new Map(), signal), 0)
})
