/** A node with a project whose source is on a forge, with pushes over HTTP and the forge's webhooks. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addProject } from '../../src/app/operator/administration.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, type Browser, signedIn } from '../kit/people.ts'

export interface ForgeSite extends AsyncDisposable {
  octavo: TestNode
  forge: ForgeServer
  projectId: string
  admin: Browser
  /** Settings of the node, for additional workers. */
  env: Record<string, string>
  /** Commits text to the first page on a branch, pushes it, sends the webhook, and returns the commit. */
  push(branch: string, text: string): Promise<string>
  /** Sends the webhook for a pull request to the main branch. */
  tellRequest(request: { number: number; branch: string; isMerged?: boolean }): Promise<void>
}

const run = promisify(execFile)

export async function openForgeSite(options: {
  domain: string
  files: Record<string, string>
  env?: Record<string, string>
}): Promise<ForgeSite> {
  await using opening = new AsyncDisposableStack()
  const forge = opening.use(await startForgeServer('github', { files: options.files }))
  const env = {
    OCTAVO_GIT_ALLOW_HTTP: 'true',
    OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
    OCTAVO_FORGES: `${forge.host}=github`,
    OCTAVO_GIT_TOKENS: `${forge.host}=${forge.token}`,
    OCTAVO_LIMIT_PREVIEWS: '1000/60',
    OCTAVO_LIMIT_MEMBERS: '100000/60',
    ...options.env,
  }
  const octavo = opening.use(await startTestNode(env))
  const { organizationId, node } = octavo
  const { id: projectId } = await addProject(node.context, {
    organizationId,
    name: 'Docs',
    domains: [options.domain],
    source: { kind: 'git', repository: forge.address, ref: 'main' },
  })
  const email = 'admin@example.com'
  await addPerson(node.context.database, { email, organizationId, role: 'admin' })
  const admin = await signedIn(octavo.url, { email, organizationId })
  const publishing = `/internal/projects/${projectId}/publishing`
  const { secret } = await admin.json<{ secret: string }>(`${publishing}/secret`, { method: 'POST' })
  await admin.json(publishing, { method: 'PATCH', body: { previews: { mode: 'pull_requests' } } })

  const work = await mkdtemp(join(tmpdir(), 'octavo-pusher-'))
  opening.defer(() => rm(work, { recursive: true, force: true }))
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    return (await run('git', [...who, ...args], { cwd: work })).stdout.trim()
  }
  const address = forge.address.replace('://', `://octavo:${forge.token}@`)
  await git('clone', '--quiet', address, '.')

  async function tell(event: string, message: object): Promise<void> {
    const body = JSON.stringify(message)
    const response = await octavo.fetch(`/hooks/push/${projectId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    })
    assert.equal(response.status, 202)
  }

  const open = opening.move()
  return {
    ...{ octavo, forge, projectId, admin, env },
    async push(branch, text) {
      await git('fetch', '--quiet', 'origin')
      const isKnown = (await git('branch', '--remotes', '--list', `origin/${branch}`)) !== ''
      await git('checkout', '--quiet', '-B', branch, isKnown ? `origin/${branch}` : 'origin/main')
      await writeFile(join(work, 'page-1.mdx'), `---\ntitle: One\n---\n\n${text}\n`)
      await git('commit', '--quiet', '--all', '--message', `Say ${text}`)
      await git('push', '--quiet', 'origin', branch)
      const commit = await git('rev-parse', 'HEAD')
      await tell('push', { ref: `refs/heads/${branch}`, after: commit })
      return commit
    },
    async tellRequest({ number, branch, isMerged = false }) {
      const repo = { id: 1 }
      const state = isMerged ? 'closed' : 'open'
      const ends = { head: { ref: branch, repo }, base: { ref: 'main', repo } }
      await tell('pull_request', { pull_request: { number, state, merged: isMerged, ...ends } })
      if (isMerged)
        await tell('push', { ref: 'refs/heads/main', after: await forge.git('rev-parse', 'main') })
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
