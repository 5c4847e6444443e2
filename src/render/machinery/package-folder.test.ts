import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtempDisposable, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { test } from 'node:test'

test('packages above a built program are found by a process that may read little else', async () => {
  await using place = await mkdtempDisposable(join(await realpath(tmpdir()), 'octavo-packages-'))
  const sources = join(place.path, 'dist', 'src')
  const packages = join(place.path, 'node_modules')
  await mkdir(join(packages, 'carried'), { recursive: true })
  await writeFile(join(packages, 'carried', 'package.json'), '{}')
  const module = join(sources, 'render', 'machinery', 'package-folder.ts')
  await cp(join(import.meta.dirname, 'package-folder.ts'), module)
  await writeFile(
    join(sources, 'main.ts'),
    "import { packageFolder } from './render/machinery/package-folder.ts'\nprocess.stdout.write(packageFolder('carried'))\n",
  )
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${sources}${sep}`,
      `--allow-fs-read=${packages}${sep}`,
      join(sources, 'main.ts'),
    ],
    { encoding: 'utf8' },
  )
  assert.equal(stdout, join(packages, 'carried'), stderr)
})
