/** Test repositories of projects, from a folder and over HTTP, each with its own mirror. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { PermanentError } from '../../src/base/errors/permanent-error.ts'
import { openProjectRepository, type ProjectRepository } from '../../src/git/project-repository.ts'
import {
  createTestRepository,
  listedGuard,
  SOURCE_ROW,
  startGitServer,
  type TestRepository,
} from '../kit/git.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-project-'))
after(() => rm(scratch, { recursive: true, force: true }))
export const signal = new AbortController().signal
let folders = 0

export const freshMirrors = () => join(scratch, String(folders++))

export function openFolder(path: string, more: { ref?: string; docs?: string; mirrorsFolder?: string } = {}) {
  const { ref = null, docs = '', mirrorsFolder = freshMirrors() } = more
  const row = { ...SOURCE_ROW, source_kind: 'folder', repository: path, ref, docs_folder: docs } as const
  return openProjectRepository({ mirrorsFolder }, row)
}

export function openUrl(
  url: string,
  more: { ref?: string; docs?: string; token?: string; mirrors?: string } = {},
) {
  const { ref = null, docs = '', token, mirrors = freshMirrors() } = more
  const row = { ...SOURCE_ROW, source_kind: 'git', repository: url, ref, docs_folder: docs } as const
  const deps = { mirrorsFolder: mirrors, settings: { guard: listedGuard }, allowHttp: true }
  return openProjectRepository({ ...deps, credentialsOf: async () => ({ token }) }, row)
}

export const serve = (
  repository: TestRepository,
  options: Partial<Parameters<typeof startGitServer>[0]> = {},
) => startGitServer({ folder: dirname(repository.folder), ...options })

/** Creates a repository that accepts pushes over HTTP. */
export async function createPushable(files: Record<string, string>): Promise<TestRepository> {
  const repository = await createTestRepository(files)
  await repository.git('config', 'http.receivepack', 'true')
  return repository
}

const author = { name: 'Octavo', email: 'octavo@example.com' }
export const at = new Date('2026-01-02T03:04:05.678Z')

export const write = (
  repository: ProjectRepository,
  parent: string,
  changes: Record<string, string | null>,
  message = 'Say more\n',
) =>
  repository.writeCommit({ parent, changes: new Map(Object.entries(changes)), message, author, at }, signal)

export const rejectsForGood = (work: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof PermanentError, String(error))
    assert.notEqual(error.code, 'internal')
    assert.match(error.message, sentence)
    return true
  })
