/** A node with a project whose source is on a real git server. */
import { basename, dirname } from 'node:path'
import { addProject } from '../../src/app/operator/administration.ts'
import { createTestRepository, startGitServer, type TestRepository } from '../kit/git.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'
import { smallSite } from '../kit/site.ts'

export interface GitSite extends AsyncDisposable {
  octavo: TestNode
  repository: TestRepository
  projectId: string
  admin: Browser
}

/** `ref` defaults to the default branch. */
export async function openGitSite(options: {
  domain: string
  pages: number
  ref?: string
  env?: Record<string, string>
}): Promise<GitSite> {
  await using opening = new AsyncDisposableStack()
  const { domain, pages, ref, env } = options
  const repository = opening.use(await createTestRepository(smallSite(pages)))
  const server = opening.use(await startGitServer({ folder: dirname(repository.folder) }))
  const octavo = opening.use(
    await startTestNode({ OCTAVO_GIT_ALLOW_HTTP: 'true', OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*', ...env }),
  )
  const { organizationId, node } = octavo
  const address = `${server.url}/${basename(repository.folder)}`
  const { id: projectId } = await addProject(node.context, {
    organizationId,
    name: 'Docs',
    domains: [domain],
    source: { kind: 'git', repository: address, ...(ref === undefined ? {} : { ref }) },
  })
  const email = 'admin@example.com'
  await addPerson(node.context.database, { email, organizationId, role: 'admin' })
  const admin = await signedIn(octavo.url, { email, organizationId })
  const open = opening.move()
  return { octavo, repository, projectId, admin, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
