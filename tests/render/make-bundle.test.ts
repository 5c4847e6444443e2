import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..')
const MAKE = `
import { makeBundle } from ${JSON.stringify(join(ROOT, 'src/render/machinery/make-bundle.ts'))}
process.stdout.write(JSON.stringify([await makeBundle('serve.mjs'), await makeBundle('search.js')]))
process.exit()`

test('a bundle is the same whatever the working directory of the process that makes it', () => {
  const madeIn = (cwd: string) =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', MAKE], { cwd, encoding: 'utf8' }),
    )
  const made = madeIn(ROOT)
  assert.deepEqual(madeIn(tmpdir()), made)
  assert.match(made[0].text, /^\/\/ src\/render\/hosting\//m)
})
