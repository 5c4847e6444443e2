/** `octavo doctor --objects` reads every stored object. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { putBlob } from '../../src/render/versions/blobs.ts'
import { blobKey } from '../../src/render/versions/manifest.ts'
import { runOctavo } from '../kit/octavo-command.ts'
import { openObjectStore } from '../kit/open-store.ts'

async function findObjects(cwd: string) {
  const { stdout } = await runOctavo(['doctor', '--objects', '--json'], {
    cwd,
    env: { OCTAVO_DATA: join(cwd, 'data'), DATABASE_URL: 'postgres://127.0.0.1:1/none', HOME: cwd },
  })
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; state: string; message: string; remedy: string | null }[]
  }
  return findings.filter(({ check }) => check === 'objects').at(-1)
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-doctor-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('doctor --objects names a damaged object and removes it', async (t) => {
  const folder = await makeFolder(t)
  const objects = join(folder, 'data', 'objects')
  await using store = await openObjectStore({
    kind: 'disk',
    folder: objects,
    publicUrl: 'http://localhost',
    secret: 'sixteen characters',
  })
  const whole = await putBlob(store, 'whole.html', 'whole')
  const { sha256 } = await putBlob(store, 'page.html', '<p>A page</p>')
  const path = join(objects, 'objects', `${blobKey(sha256)}@`)
  const bytes = await readFile(path)
  bytes[12] = (bytes[12] as number) ^ 0xff
  await writeFile(path, bytes)

  const found = await findObjects(folder)
  assert.equal(found?.state, 'fault')
  assert.match(found?.message ?? '', new RegExp(`^2 objects .*1 of them damaged .*${blobKey(sha256)}`))
  assert.match(found?.remedy ?? '', /created again when needed/)
  assert.equal((await findObjects(folder))?.message, '1 objects with 0.0 MB read, all intact.')
  assert.ok(await store.head(blobKey(whole.sha256)))
})

test('doctor --objects passes on an empty store', async (t) => {
  const folder = await makeFolder(t)
  assert.deepEqual(await findObjects(folder), {
    check: 'objects',
    state: 'ok',
    message: 'Nothing is stored yet.',
    remedy: null,
  })
})
