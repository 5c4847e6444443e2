/** Nothing that a repository, its author or an address contains may run a program or leave the tree. */
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTree, type TreeSource } from '../../src/git/checkout.ts'
import { git } from '../../src/git/git.ts'
import { GitError } from '../../src/git/git-error.ts'
import { createTestRepository, listedGuard, SOURCE_ROW, startGitServer } from '../kit/git.ts'
import type { TreeEntry } from '../kit/hostile-trees.ts'
import { pushTree } from '../kit/push-tree.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-hostile-'))
after(() => rm(scratch, { recursive: true, force: true }))
const mirrorsFolder = join(scratch, 'mirrors')
const trap = join(scratch, 'trap')
const bait = join(scratch, 'bait.sh')
await mkdir(trap)
await writeFile(bait, `#!/bin/sh\ntouch ${trap}/"$(basename "$0").$$"\nexit 0\n`)
await chmod(bait, 0o755)

const sprung = () => readdir(trap)

test('an unprotected git call springs the trap', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  await repository.git('config', 'core.fsmonitor', bait)
  await repository.git('status')
  assert.notDeepEqual(await sprung(), [])
  for (const name of await sprung()) await rm(join(trap, name))
})

test('hooks, filters, monitors and helpers of a repository do not run', async () => {
  await using repository = await createTestRepository({
    'index.mdx': 'x',
    '.gitattributes': '*.mdx filter=evil diff=evil merge=evil text eol=crlf',
    '.gitmodules': '[submodule "m"]\n\tpath = m\n\turl = ext::sh -c touch% /tmp/x\n\tupdate = !touch x\n',
    '.gitconfig': `[core]\n\tfsmonitor = ${bait}\n`,
  })
  for (const [key, value] of Object.entries({
    'core.fsmonitor': bait,
    'core.sshCommand': bait,
    'core.pager': bait,
    'core.editor': bait,
    'core.gitProxy': bait,
    'core.alternateRefsCommand': bait,
    'core.hooksPath': join(repository.folder, '.git/hooks'),
    'credential.helper': `!${bait}`,
    'diff.external': bait,
    'diff.evil.textconv': bait,
    'filter.evil.clean': bait,
    'filter.evil.smudge': bait,
    'filter.evil.process': bait,
    'filter.evil.required': 'true',
    'gpg.program': bait,
    'uploadpack.packObjectsHook': bait,
    'uploadArchive.allowUnreachable': 'true',
    'remote.origin.uploadpack': bait,
    'remote.origin.url': `ext::${bait}`,
    'remote.origin.promisor': 'true',
    'extensions.partialClone': 'origin',
    'protocol.ext.allow': 'always',
    'protocol.allow': 'always',
    [`url.ext::${bait} .insteadOf`]: '/',
  })) {
    await repository.git('config', key, value)
  }
  await mkdir(join(repository.folder, '.git/hooks'), { recursive: true })
  for (const hook of [
    'post-checkout',
    'reference-transaction',
    'post-upload-pack',
    'pre-receive',
    'update',
  ]) {
    await writeFile(join(repository.folder, '.git/hooks', hook), await readFile(bait), { mode: 0o755 })
  }
  const source = { kind: 'folder', path: repository.folder, ref: 'main' } as const
  await using tree = await openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder })
  assert.equal(
    Buffer.from(await tree.read('index.mdx')).toString(),
    'x',
    'no filter and no line ends applied',
  )
  assert.deepEqual(await sprung(), [])
})

test('hooks and config planted in the mirror do not run', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const source = { kind: 'folder', path: repository.folder, ref: 'main' } as const
  const folder = join(scratch, 'own-mirrors')
  await (await openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder: folder }))[Symbol.asyncDispose]()
  const mirror = join(folder, (await readdir(folder)).find((name) => name.endsWith('.git')) ?? '')
  await mkdir(join(mirror, 'hooks'), { recursive: true })
  for (const hook of ['reference-transaction', 'post-index-change', 'pre-auto-gc']) {
    await writeFile(join(mirror, 'hooks', hook), await readFile(bait), { mode: 0o755 })
  }
  await writeFile(
    join(mirror, 'config'),
    `[core]\n\tbare = true\n\tfsmonitor = ${bait}\n\tsshCommand = ${bait}\n`,
  )
  await repository.commit({ 'index.mdx': 'y' })
  await using tree = await openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder: folder })
  assert.equal(Buffer.from(await tree.read('index.mdx')).toString(), 'y')
  assert.deepEqual(await sprung(), [])
})

test('rejects addresses and refs that are options, commands or local folders', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  const addresses = [
    `ext::${bait}`,
    `ext::sh -c ${bait}`,
    `--upload-pack=${bait}`,
    `-u${bait}`,
    repository.folder,
    `file://${repository.folder}`,
    `fd::17`,
    `git://example.com/x`,
    `http://example.com/x`,
    `ssh://-oProxyCommand=${bait}/x`,
    `-oProxyCommand=${bait}:x`,
    `git@-oProxyCommand=${bait}:x`,
    'https://example.com/a b',
    'https://example.com/\nfoo',
    'C:\\repository',
    './relative',
    '',
  ]
  for (const address of addresses) {
    const opening = openTree({
      projectId: SOURCE_ROW.id,
      source: { kind: 'git', repository: address },
      mirrorsFolder,
    })
    await assert.rejects(opening, (error) => {
      assert.ok(error instanceof GitError, `${address}: ${error}`)
      assert.equal(error.reason, 'repository_invalid', address)
      return true
    })
  }
  for (const ref of [
    `--upload-pack=${bait}`,
    '-x',
    'a\nb',
    'a:b',
    '*',
    'refs/heads/*',
    'main^{tree}',
    '@{-1}',
  ]) {
    const source = { kind: 'folder', path: repository.folder, ref } as const
    await assert.rejects(openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder }), (error) => {
      assert.ok(error instanceof GitError, `${ref}: ${error}`)
      assert.equal(error.reason, 'ref_missing', `${ref}: ${error.detail}`)
      return true
    })
  }
  assert.deepEqual(await sprung(), [])
})

test('git does not inherit the environment of the server process', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  process.env.GIT_SSH_COMMAND = bait
  process.env.GIT_EXTERNAL_DIFF = bait
  process.env.GIT_DIR = '/nowhere'
  try {
    const listed = await git(['-c', 'alias.show-env=!env', 'show-env'], {
      gitDir: join(repository.folder, '.git'),
    })
    const names = listed
      .toString()
      .split('\n')
      .map((line) => line.split('=')[0] ?? '')
    const known =
      /^(PATH|HOME|LC_ALL|MALLOC_ARENA_MAX|PWD|OLDPWD|SHLVL|_|GIT_(CONFIG|ATTR|TERMINAL|NO_|LITERAL|OPTIONAL|PROTOCOL|ALLOW|DIR|PREFIX|EXEC).*)?$/
    assert.deepEqual(
      names.filter((name) => !known.test(name)),
      [],
    )
    assert.doesNotMatch(listed.toString(), /bait|nowhere\b(?!ent)/)
  } finally {
    delete process.env.GIT_SSH_COMMAND
    delete process.env.GIT_EXTERNAL_DIFF
    delete process.env.GIT_DIR
  }
})

test('a git call ends on timeout, output limit and abort, together with its child processes', async () => {
  const marker = `sleep 300.${process.pid}`
  const call = ['-c', `alias.wait=!${marker}`, 'wait']
  const isRunning = async () => {
    const lines = await readdir('/proc').then((names) =>
      Promise.all(
        names
          .filter((name) => /^\d+$/.test(name))
          .map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
      ),
    )
    return lines.some((line) => line.replaceAll('\0', ' ').trim() === marker)
  }
  await assert.rejects(git(call, { timeoutMs: 300 }), { name: 'GitError', reason: 'timeout' })
  const stopped = new Error('stopped')
  const controller = new AbortController()
  const waiting = git(call, { signal: controller.signal })
  controller.abort(stopped)
  await assert.rejects(waiting, stopped)
  await assert.rejects(git(['-c', 'alias.much=!yes', 'much'], { maxOutputBytes: 1e6 }), {
    name: 'GitError',
    reason: 'too_large',
  })
  if (process.platform === 'linux') assert.equal(await isRunning(), false)
})

test('reports a missing or outdated git', async () => {
  await assert.rejects(git(['version'], { settings: { path: scratch } }), {
    name: 'GitError',
    reason: 'git_missing',
  })
  const old = join(scratch, 'old')
  await mkdir(old)
  await writeFile(join(old, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
  await assert.rejects(
    git(['version'], { settings: { path: old } }),
    /requires git 2\.38 or later\. The installed version is git version 2\.30\.2/,
  )
})

const UNREADABLE = {
  'a mode that is none': [{ mode: 'zz', name: Buffer.from('page.mdx') }],
  'a file without a name': [{ mode: '100644', name: Buffer.from('') }],
  'a file that is said to be a folder': [{ mode: '40000', name: Buffer.from('.git') }],
}

for (const [what, names] of Object.entries(UNREADABLE))
  test(`rejects a tree with ${what} as a damaged repository and does not retry`, async () => {
    await using repository = await createTestRepository()
    await using server = await startGitServer({ folder: repository.folder })
    await pushTree(join(repository.folder, '.git'), [{ kind: 'raw', path: Buffer.from('docs'), names }])
    const sources: TreeSource[] = [
      { kind: 'git', repository: `${server.url}/.git` },
      { kind: 'folder', path: repository.folder, ref: 'main' },
    ]
    for (const source of sources) {
      const opened = openTree({
        projectId: SOURCE_ROW.id,
        source,
        mirrorsFolder,
        allowHttp: true,
        settings: { guard: listedGuard },
      })
      await assert.rejects(opened, (error) => {
        assert.ok(error instanceof GitError)
        assert.equal(error.reason, 'repository_damaged', error.detail)
        assert.equal(error.isTemporary, false)
        assert.match(error.message, /contains a commit that git cannot read.*git fsck.*try again\.$/)
        return true
      })
    }
  })

test('reads a tree without the entries whose names git would not write', async () => {
  await using repository = await createTestRepository()
  const raw = (path: string, ...names: string[]): TreeEntry => ({
    kind: 'raw',
    path: Buffer.from(path),
    names: names.map((name) => ({ mode: '100644', name: Buffer.from(name) })),
  })
  await pushTree(join(repository.folder, '.git'), [
    { kind: 'file', path: Buffer.from('docs.json'), content: '{}' },
    raw('git', '.git'),
    raw('up', '..', '../../x'),
    raw('twice', 'page.mdx', 'page.mdx'),
  ])
  const source = { kind: 'folder', path: repository.folder, ref: 'main' } as const
  await using tree = await openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder })
  assert.deepEqual([...tree.files.keys()], ['docs.json', 'twice/page.mdx'])
  assert.deepEqual(
    tree.refused.map(({ path }) => path),
    ['up/..', 'up/../../x'],
  )
})

test('rejecting a commit after its links were read leaves no unhandled rejection', async () => {
  await using repository = await createTestRepository()
  const link = (path: string): TreeEntry => ({ kind: 'link', path: Buffer.from(path), content: 'index.mdx' })
  const links = Array.from({ length: 500 }, (_, number) => link(`a/${number}`))
  const deep: TreeEntry = { kind: 'file', path: Buffer.from(`z/${'z/'.repeat(300)}x.mdx`), content: 'x' }
  await pushTree(join(repository.folder, '.git'), [...links, deep])
  const source = { kind: 'folder', path: repository.folder, ref: 'main' } as const
  const opened = openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder })
  await assert.rejects(opened, { reason: 'too_large' })
  await new Promise(setImmediate) // an unhandled rejection would be reported now and fail this test
})
