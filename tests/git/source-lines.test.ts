import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readSourceLines } from '../../src/git/source-lines.ts'
import { createTestRepository, SOURCE_ROW, type TestRepository } from '../kit/git.ts'
import { patience } from '../kit/until.ts'

let repository: TestRepository
let mirrorsFolder: string
let commit: string

before(async () => {
  repository = await createTestRepository()
  mirrorsFolder = await mkdtemp(join(tmpdir(), 'octavo-lines-'))
  const numbered = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n')
  await mkdir(join(repository.folder, 'docs'), { recursive: true })
  await symlink('../secret.md', join(repository.folder, 'docs/leads-out.md'))
  await symlink('..', join(repository.folder, 'docs/up'))
  commit = await repository.commit({
    'docs/page.mdx': `${numbered}\n`,
    'docs/windows.md': 'one\r\ntwo\r\n',
    'docs/.hidden.md': 'hidden',
    'docs/big.md': 'x'.repeat(5 << 20),
    'secret.md': 'secret',
  })
  await repository.commit({ 'docs/page.mdx': 'changed since\n' })
})
after(async () => {
  await repository[Symbol.asyncDispose]()
  await rm(mirrorsFolder, { recursive: true, force: true })
})

const read = (file: string, line = 1, revision: string | null = commit) =>
  readSourceLines(
    { mirrorsFolder },
    { ...SOURCE_ROW, source_kind: 'folder', repository: repository.folder, ref: 'main', docs_folder: 'docs' },
    { file, line, revision },
    patience(),
  )

test('returns the lines around a problem from the commit, regardless of later changes', async () => {
  const found = await read('page.mdx', 50)
  assert.equal(found?.lines.length, 25)
  assert.deepEqual(found?.lines[12], { number: 50, text: 'line 50', isCut: false })
  assert.deepEqual([found?.revision, found?.totalLines, found?.line, found?.url], [commit, 100, 50, null])
  assert.deepEqual((await read('page.mdx', 9999))?.lines.at(-1), {
    number: 100,
    text: 'line 100',
    isCut: false,
  })
  assert.deepEqual(
    (await read('windows.md'))?.lines.map(({ text }) => text),
    ['one', 'two'],
  )
})

test('reads the current folder when no commit is given', async () => {
  assert.deepEqual(
    (await read('page.mdx', 50, null))?.lines.map(({ text }) => text),
    ['changed since'],
  )
})

for (const revision of ['commit', null])
  test(`does not read links that lead out, hidden, large or other kinds of files: ${revision ?? 'a folder'}`, async () => {
    const at = revision === null ? null : commit
    for (const file of [
      ...[
        'leads-out.md',
        'up/secret.md',
        '../secret.md',
        '.hidden.md',
        'big.md',
        'none.md',
        'docs',
        '',
        '/etc/passwd',
      ],
      ...['page.mdx/x.md', './page.mdx', 'page.mdx\0.md', '.git/config.md'],
    ])
      assert.equal(await read(file, 1, at), null, file)
  })

test('returns null for a commit that does not exist', async () => {
  assert.equal(await read('page.mdx', 1, 'f'.repeat(40)), null)
})
