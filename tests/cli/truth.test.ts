import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestRepository, type TestRepository } from '../kit/git.ts'
import { runOctavo } from '../kit/octavo-command.ts'

let repository: TestRepository
before(async () => {
  repository = await createTestRepository({
    'docs/guide.md': '# Guide\n\nPass `--log-level` to choose.\n\n`cacheSize` is 512 by default.\n',
    'src/cli.ts': `option('--log-level <level>')\nexport const cacheSize = 512\n`,
  })
})
after(() => repository[Symbol.asyncDispose]())

const truth = (...args: string[]) =>
  runOctavo(['truth', 'docs', '--code', '.', ...args], {
    cwd: repository.folder,
    env: { XDG_CACHE_HOME: join(repository.folder, '.cache'), XDG_RUNTIME_DIR: repository.folder },
  })

test('truth binds statements to lines of code, and flags them when the code changes', async () => {
  const mapped = await truth('--json')
  assert.equal(mapped.code, 0, mapped.stderr)
  const { pages, statements, bound } = JSON.parse(mapped.stdout)
  assert.deepEqual([statements, bound], [2, 2])
  assert.deepEqual(pages[0].statements[0].bindings[0].lines, [{ file: 'src/cli.ts', line: 1 }])

  assert.equal((await truth('--since', 'main')).code, 0, 'nothing has changed')

  await writeFile(
    join(repository.folder, 'src/cli.ts'),
    `option('--verbosity <level>')\nexport const cacheSize = 1024\n`,
  )
  const alarmed = await truth('--since', 'HEAD')
  assert.equal(alarmed.code, 1)
  assert.match(alarmed.stdout, /^guide\.md:3: --log-level is no longer in the code\.$/m)
  assert.match(alarmed.stdout, /^- src\/cli\.ts:2: export const cacheSize = 512$/m)
  assert.match(alarmed.stdout, /^\+ src\/cli\.ts:2: export const cacheSize = 1024$/m)
  assert.match(alarmed.stdout, /^2 statements on 1 pages may be false\.$/m)
})

test('truth rejects an unknown commit and names it', async () => {
  const { code, stderr } = await truth('--since', 'nothing')
  assert.equal(code, 1)
  assert.match(stderr, /^The repository of \. has no commit, branch or tag nothing\.\n$/)
})
