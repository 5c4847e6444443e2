import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { PROGRAM_ENV } from '../../../tests/kit/program-env.ts'

const ASK = `
  import { createLog } from ${JSON.stringify(import.meta.resolve('../../base/log.ts'))}
  import { runEsbuild } from ${JSON.stringify(import.meta.resolve('./esbuild.ts'))}
  try {
    await runEsbuild(createLog('silent'), (esbuild) => esbuild.transform('1'))
  } catch (error) {
    console.log(error.name)
  }`

test('an esbuild process that exits before its output ends throws a MachineryError', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'octavo-esbuild-'))
  const program = join(folder.path, 'esbuild')
  await writeFile(program, '#!/bin/sh\nsleep 0.3 &\n', { mode: 0o755 })
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ASK], {
    env: { ...PROGRAM_ENV, ESBUILD_BINARY_PATH: program },
  })
  assert.match(stdout, /^MachineryError$/m)
})
