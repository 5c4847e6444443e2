import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createTestRepository } from '../kit/git.ts'
import { root } from '../kit/source-files.ts'

test('a command continues after closing an object reader, however late the git streams close', async () => {
  await using repository = await createTestRepository({ 'a.md': 'one' })
  const id = await repository.git('rev-parse', 'HEAD:a.md')
  const folder = join(repository.folder, 'bin')
  await mkdir(folder)
  // A process in another session outlives git and keeps its output open.
  const script = `#!/bin/sh\n[ "$1" = version ] || PATH=/usr/bin:/bin setsid sleep 0.5 &\nPATH=/usr/bin:/bin exec git "$@"\n`
  await writeFile(join(folder, 'git'), script)
  await chmod(join(folder, 'git'), 0o755)
  const command = join(repository.folder, 'command.ts')
  const reader = pathToFileURL(join(root, 'src/git/object-reader.ts'))
  const options = { gitDir: join(repository.folder, '.git'), address: 'it', settings: { path: folder } }
  await writeFile(
    command,
    `import { openObjectReader } from '${reader}'
const reader = openObjectReader(${JSON.stringify(options)})
const text = (await reader.read('${id}')).toString()
await reader[Symbol.asyncDispose]()
process.stdout.write(text)`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [command])
  assert.equal(stdout, 'one')
})
