import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ProjectDetail } from '../../src/features/projects/operations/projects.ts'
import { createTestRepository, type TestRepository } from '../kit/git.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { openTwoOrganizations, refusal, type TwoOrganizations } from '../kit/two-organizations.ts'

let scene: TwoOrganizations
let scratch: string
/** Repository that only the operator may use. */
let secret: TestRepository

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'octavo-folders-'))
  secret = await createTestRepository(smallSite(), scratch)
  scene = await openTwoOrganizations()
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true, force: true })
})

const git = { kind: 'git', repository: 'https://git.example.com/team/docs.git' }

function places(folder: string): string[] {
  return [
    folder,
    `file://${folder}`,
    `FILE://${folder}`,
    `file:${folder}`,
    `File:${folder}`,
    `/${folder}`,
    `/proc/self/cwd${folder}`,
    '~/docs',
    '~root/docs',
    './docs',
    '../../docs',
    'docs',
    '\\\\server\\share\\docs',
    '//server/share/docs',
    'C:\\docs',
    'c:/docs',
    'ext::sh -c id',
    'EXT::sh',
    'fd::17/x',
    `file::${folder}`,
    `local:${folder}`,
    `git+file://${folder}`,
    `bundle://${folder}`,
    'git://git.example.com/docs',
    '-oProxyCommand=id',
  ]
}

test('the API rejects every spelling of a server folder as a source, on create and on update', async () => {
  const { other } = scene
  const project = await other.makeProject(git)
  for (const kind of ['git', 'folder'])
    for (const repository of places(secret.folder)) {
      const source = { kind, repository }
      const made = await refusal(
        other.admin.ask('/internal/projects', {
          method: 'POST',
          body: { name: 'x', domains: ['x.example.com'], source },
        }),
      )
      assert.equal(made.status, 400, `made of ${JSON.stringify(source)}`)
      const { updatedAt } = await other.admin.json<ProjectDetail>(`/internal/projects/${project.id}`)
      const changed = await refusal(
        other.admin.ask(`/internal/projects/${project.id}`, {
          method: 'PATCH',
          body: { updatedAt, source },
        }),
      )
      assert.equal(changed.status, 400, `changed to ${JSON.stringify(source)}`)
    }
  const { source } = await other.admin.json<ProjectDetail>(`/internal/projects/${project.id}`)
  assert.equal(source.repository, git.repository)
})

test('a project row that names a server folder without a grant is not opened', async () => {
  const { other, octavo } = scene
  const project = await other.makeProject(git)
  const { queries } = octavo.node.context.database
  for (const kind of ['git', 'folder'] as const)
    for (const ref of [null, 'main']) {
      await queries
        .updateTable('projects')
        .set({ source_kind: kind, repository: secret.folder, ref })
        .where('id', '=', project.id)
        .execute()
      const { status, error } = await other.publish(project.id)
      assert.equal(status, 'failed', `${kind} ${ref}`)
      assert.match(error ?? '', /folder on the server|command line/)
      const { updatedAt } = await other.admin.json<ProjectDetail>(`/internal/projects/${project.id}`)
      const body = { updatedAt, source: { kind: kind === 'git' ? 'folder' : 'git' } }
      const turned = await refusal(
        other.admin.ask(`/internal/projects/${project.id}`, { method: 'PATCH', body }),
      )
      assert.equal(turned.status, 400)
    }
  const lines = await other.admin.ask(`/internal/projects/${project.id}/source-lines?file=docs.json`)
  assert.equal(lines.status, 404)
})

test('a folder source set by the operator survives other changes, and cannot be set again once replaced', async () => {
  const { acme, octavo } = scene
  const { projectId, folder } = await octavo.addSite('kept.example.com', smallSite())
  const path = `/internal/projects/${projectId}`
  const before = await acme.admin.json<ProjectDetail>(path)
  const body = { updatedAt: before.updatedAt, name: 'Kept', source: { ...before.source, docsFolder: './' } }
  const renamed = await acme.admin.json<ProjectDetail>(path, { method: 'PATCH', body })
  assert.equal(renamed.name, 'Kept')
  assert.equal((await acme.publish(projectId)).status, 'published')
  const away = await acme.admin.json<ProjectDetail>(path, {
    method: 'PATCH',
    body: { updatedAt: renamed.updatedAt, source: git },
  })
  const back = await refusal(
    acme.admin.ask(path, {
      method: 'PATCH',
      body: { updatedAt: away.updatedAt, source: { kind: 'folder', repository: folder } },
    }),
  )
  assert.equal(back.status, 400, 'what was given up is as new')
})

test('folders inside OCTAVO_SOURCE_ROOTS are allowed as sources, and links out of them are rejected', async () => {
  const roots = join(scratch, 'roots')
  await writeSite(join(roots, 'guides'), smallSite())
  await mkdir(join(scratch, 'roots-not'), { recursive: true })
  await writeSite(join(scratch, 'roots-not'), smallSite())
  await symlink(secret.folder, join(roots, 'out'))
  await using within = await openTwoOrganizations({ OCTAVO_SOURCE_ROOTS: roots })
  const { other, octavo } = within
  const folder = (repository: string, more: object = {}) => ({ kind: 'folder', repository, ...more })
  const guides = await other.makeProject(folder(join(roots, 'guides')))
  assert.equal((await other.publish(guides.id)).status, 'published')
  for (const repository of [
    secret.folder,
    join(scratch, 'roots-not'),
    join(roots, '..', 'roots-not'),
    scratch,
    '/',
    octavo.dataFolder,
  ]) {
    const made = await refusal(
      other.admin.ask('/internal/projects', {
        method: 'POST',
        body: { name: 'x', domains: ['y.example.com'], source: folder(repository) },
      }),
    )
    assert.equal(made.status, 400, repository)
    assert.match(made.text, /must be inside/)
  }
  for (const source of [
    folder(join(roots, 'out')),
    folder(join(roots, 'out'), { ref: 'main' }),
    folder(roots, { docsFolder: 'out' }),
  ]) {
    const project = await other.makeProject(source)
    const { status, error } = await other.publish(project.id)
    assert.equal(status, 'failed', JSON.stringify(source))
    assert.match(error ?? '', /inside|not in one of|There is no folder/)
  }
  await rename(join(roots, 'guides'), join(roots, 'moved'))
  await symlink(secret.folder, join(roots, 'guides'))
  assert.equal((await other.publish(guides.id)).status, 'failed', 'exchanged for a link after it was made')
})
