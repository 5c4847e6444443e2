/** Pushing to a local repository must not run anything that its configuration sets up. */
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openProjectRepository } from '../../src/git/project-repository.ts'
import { createTestRepository, SOURCE_ROW, type TestRepository } from '../kit/git.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-receiver-'))
after(() => rm(scratch, { recursive: true, force: true }))
const trap = join(scratch, 'trap')
const bait = join(scratch, 'bait.sh')
await mkdir(trap)
await writeFile(bait, `#!/bin/sh\ntouch ${trap}/"$(basename "$0").$$"\nexit 0\n`)
await chmod(bait, 0o755)
const signal = new AbortController().signal

const HOOKS = [
  'applypatch-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-receive',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'update',
]

const NAMES = ['evil', 'a=b', "it's; $(touch x)", 'dotted.name', 'new\tline']

async function createHostile(): Promise<TestRepository> {
  const repository = await createTestRepository({ 'docs/index.mdx': 'one\n', 'docs/other.mdx': 'other\n' })
  const attributes = ['*.mdx filter=evil diff=evil merge=evil', 'other.mdx filter=a=b'].join('\n')
  await repository.commit({ '.gitattributes': `${attributes}\n` })
  for (const name of NAMES) {
    for (const key of ['clean', 'smudge', 'process']) {
      await repository.git('config', `filter.${name}.${key}`, bait)
    }
    await repository.git('config', `filter.${name}.required`, 'true')
  }
  for (const [key, value] of Object.entries({
    'core.fsmonitor': bait,
    'core.alternateRefsCommand': bait,
    'core.hooksPath': join(repository.folder, '.git/hooks'),
    'core.sshCommand': bait,
    'core.editor': bait,
    'core.pager': bait,
    'diff.external': bait,
    'diff.evil.command': bait,
    'diff.evil.textconv': bait,
    'merge.evil.driver': `${bait} %A`,
    'gpg.program': bait,
    'gpg.ssh.program': bait,
    'commit.gpgSign': 'true',
    'receive.certNonceSeed': 'seed',
    'receive.autogc': 'true',
    'receive.procReceiveRefs': 'refs/for',
    'gc.auto': '1',
    'gc.recentObjectsHook': bait,
    'credential.helper': `!${bait}`,
    'uploadpack.packObjectsHook': bait,
    'remote.origin.url': scratch,
    'remote.origin.uploadpack': bait,
    'remote.origin.promisor': 'true',
    'extensions.partialClone': 'origin',
    'protocol.allow': 'always',
    'submodule.recurse': 'true',
    'alias.receive-pack': `!${bait}`,
  })) {
    await repository.git('config', key, value)
  }
  const lender = join(scratch, `lender-${await readdir(scratch).then((names) => names.length)}`)
  await repository.git('clone', '--quiet', '--bare', '-c', 'core.hooksPath=/dev/null', '.', lender)
  await writeFile(join(repository.folder, '.git/objects/info/alternates'), `${lender}/objects\n`)
  await mkdir(join(repository.folder, '.git/hooks'), { recursive: true })
  for (const hook of HOOKS) {
    await writeFile(join(repository.folder, '.git/hooks', hook), await readFile(bait), { mode: 0o755 })
  }
  for (const name of await readdir(trap)) await rm(join(trap, name))
  return repository
}

async function propose(repository: TestRepository, branch: string) {
  const row = {
    ...SOURCE_ROW,
    source_kind: 'folder',
    repository: repository.folder,
    ref: 'main',
    docs_folder: 'docs',
  } as const
  const project = openProjectRepository({ mirrorsFolder: join(scratch, 'mirrors') }, row)
  const { commit: parent } = await project.fetchTarget(signal)
  const author = { name: 'Octavo', email: 'octavo@example.com' }
  const changes = new Map([['index.mdx', `two, for ${branch}\n`]])
  const commit = await project.writeCommit({ parent, changes, message: 'm', author, at: new Date(0) }, signal)
  return { project, push: { branch, commit, expected: null } }
}

test('an unprotected push into the hostile repository springs the trap', async () => {
  await using repository = await createHostile()
  const { project, push } = await propose(repository, 'octavo/a-1')
  await project.pushBranch(push, signal)
  assert.deepEqual(await readdir(trap), [])
  await repository.git('config', 'receive.denyCurrentBranch', 'updateInstead')
  const commit = await repository.git('rev-parse', 'octavo/a-1')
  const bare = join(scratch, 'sender.git')
  await repository.git('-c', 'core.hooksPath=/dev/null', 'clone', '--quiet', '--bare', '.', bare)
  for (const name of await readdir(trap)) await rm(join(trap, name))
  await repository
    .git('--git-dir', bare, 'push', '--quiet', repository.folder, `${commit}:refs/heads/main`)
    .catch(() => undefined)
  assert.notDeepEqual(await readdir(trap), [])
  for (const name of await readdir(trap)) await rm(join(trap, name))
})

test('hooks, filters, monitors and helpers do not run when a branch is pushed, merged and deleted', async () => {
  await using repository = await createHostile()
  const { project, push } = await propose(repository, 'octavo/b-2')
  await project.pushBranch(push, signal)
  await project.stateOf({ ...push, target: 'main' }, signal)
  // Files with a changed mtime are read by git, which would then run its clean filters.
  const later = new Date(Date.now() + 60_000)
  await utimes(join(repository.folder, 'docs/other.mdx'), later, later)
  const merge = { branch: push.branch, target: 'main', message: 'm', at: new Date(0) }
  assert.equal((await project.mergeBranch(merge, signal)).kind, 'merged')
  assert.equal(
    await readFile(join(repository.folder, 'docs/index.mdx'), 'utf8'),
    'two, for octavo/b-2\n',
    'the working copy went along',
  )
  await project.deleteBranch({ branch: push.branch, expected: push.commit }, signal)
  assert.deepEqual(await readdir(trap), [])
  await assert.rejects(readFile(join(repository.folder, 'x')))
})

test('a merge does not write through a link that leads out of the working copy', async () => {
  await using repository = await createTestRepository({ 'docs/index.mdx': 'one', 'docs/deep/a.mdx': 'a' })
  const outside = join(scratch, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'a.mdx'), 'outside')
  const { project, push } = await propose(repository, 'octavo/c-3')
  const author = { name: 'Octavo', email: 'octavo@example.com' }
  const changes = new Map([['deep/a.mdx', 'changed']])
  const commit = await project.writeCommit(
    { parent: push.commit, changes, message: 'm', author, at: new Date(0) },
    signal,
  )
  await project.pushBranch({ ...push, commit }, signal)
  await rm(join(repository.folder, 'docs/deep'), { recursive: true })
  await symlink(outside, join(repository.folder, 'docs/deep'))
  const merge = { branch: push.branch, target: 'main', message: 'm', at: new Date(0) }
  await assert.rejects(project.mergeBranch(merge, signal), { reason: 'push_refused' })
  assert.equal(await readFile(join(outside, 'a.mdx'), 'utf8'), 'outside')
})
