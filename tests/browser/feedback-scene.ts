/** Shared setup for tests of the feedback widgets: a node with a published site, bundles and servers for them. */
import { execFile } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { awaitDeployment } from '../../src/app/operator/sample-site.ts'
import type { ExportDeployment } from '../../src/base/api/features.ts'
import type { WidgetChoice } from '../../src/base/api/widgets.ts'
import type { FeedbackEntry } from '../../src/features/feedback/operations/feedback.ts'
import { startDeployment } from '../../src/features/hosting/deploy/start-deployment.ts'
import { setProject } from '../kit/accounts.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'

export const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/50% off', 'code'] }] },
  }),
  'index.mdx': '---\ntitle: Introduction\n---\n\nWelcome.\n\n## First steps\n\nWords.\n',
  'guides/50% off.mdx': '---\ntitle: A path with signs\n---\n\nWords.\n',
  'code.mdx': `---
title: Code
---

\`\`\`ts src/client.ts
const a = '<b>' // [!code --]
const  b = 1
\`\`\`

\`\`\`
plain words
\`\`\`

<CodeGroup>

\`\`\`bash npm
npm install acme
\`\`\`

\`\`\`bash pnpm
pnpm add acme
\`\`\`

</CodeGroup>
`,
}

export interface FeedbackScene extends AsyncDisposable {
  node: TestNode
  projectId: string
  siteId: string
  /** URL of the published site without a trailing slash. */
  hosted: string
  /** Returns all received entries, newest first, with their vote and reason. */
  entries(): Promise<FeedbackEntry[]>
  entriesUntil(isEnough: (entries: FeedbackEntry[]) => boolean): Promise<FeedbackEntry[]>
  clear(): Promise<void>
  /** Exports a bundle with these widgets and unpacks it into a folder. */
  bundle(
    deployment: ExportDeployment,
    widgets: WidgetChoice,
    features?: { analytics: boolean },
    domain?: string,
  ): Promise<string>
  setWidgets(widgets: WidgetChoice): Promise<void>
  publish(): Promise<void>
}

export const DOMAIN = 'acme.localhost'

export async function openFeedbackScene(
  files: Readonly<Record<string, string>> = FILES,
  env: Record<string, string> = {},
): Promise<FeedbackScene> {
  const node = await startTestNode({
    OCTAVO_LIMIT_ANALYTICS: '100000/60',
    OCTAVO_LIMIT_FEEDBACK: '100000/60',
    ...env,
  })
  const { projectId } = await node.addSite(DOMAIN, files)
  const { context } = node.node
  const { queries } = context.database
  const { site_id: siteId } = await queries
    .selectFrom('projects')
    .select('site_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const { port } = new URL(node.url)
  const answering = watchRequests()
  const entries = async () =>
    (await node.client.listFeedback(projectId, { limit: 100, include: 'vote,reason' })).feedback
  const scene: FeedbackScene = {
    node,
    projectId,
    siteId,
    hosted: `http://${DOMAIN}:${port}`,
    entries,
    entriesUntil: (isEnough) =>
      until(async () => {
        const found = await entries()
        return isEnough(found) && found
      }, `entries with ${isEnough}`),
    async clear() {
      // A closed page may have left a request that is still being answered and would add an entry afterwards.
      do await new Promise((resolve) => setTimeout(resolve, 20))
      while (answering.size > 0)
      await queries.deleteFrom('feedback').execute()
      await queries.deleteFrom('rate_hits').execute()
    },
    async bundle(deployment, widgets, features, domain = DOMAIN) {
      await scene.setWidgets(widgets)
      const { jobId } = await node.client.startExport({
        ...{ domain, deployment },
        ...(features && { features }),
      })
      const job = await node.finished(jobId)
      if (job.status !== 'completed') throw new Error(job.error ?? 'not completed')
      const { bundleUrl } = await node.client.generateBundle(jobId)
      const folder = await mkdtemp(join(node.dataFolder, 'bundle-'))
      await writeFile(join(folder, 'b.tar.gz'), Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()))
      await promisify(execFile)('tar', ['xzf', 'b.tar.gz'], { cwd: folder })
      await rm(join(folder, 'b.tar.gz'))
      return folder
    },
    async setWidgets(widgets) {
      const off = { thumbs: undefined, code: undefined, suggestEdit: undefined, raiseIssue: undefined }
      const chosen = { ...off, bundles: undefined, ...widgets }
      await setProject(context.database.queries, projectId, { widgets: chosen })
    },
    async publish() {
      const project = { id: projectId, organizationId: node.organizationId }
      const started = await context.database.transaction((tx) =>
        startDeployment(context, tx, {
          organizationId: project.organizationId,
          projectId: project.id,
          actor: 'test',
        }),
      )
      const state = await awaitDeployment(context, project, started)
      if (state.status !== 'published') throw new Error(state.error ?? 'not published')
    },
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  }
  return scene
}

/** Tracks responses that servers of this process have not finished yet. */
function watchRequests(): ReadonlySet<ServerResponse> {
  const answering = new Set<ServerResponse>()
  subscribe('http.server.request.start', (message) => {
    const { response } = message as { response: ServerResponse }
    answering.add(response)
    response.once('close', () => answering.delete(response))
  })
  return answering
}

/** Opens a page. `errors` collects the errors of the page. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  act: (page: Page, errors: readonly string[]) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      const isIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isIcon) errors.push(message.text())
    })
    await page.goto(url)
    await act(page, errors)
  } finally {
    await context.close()
  }
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Starts a plain file server, as a customer would. Its URL has the host name of the project. */
export async function serveFolder(folder: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/')
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return { url: `http://${DOMAIN}:${port}`, [Symbol.asyncDispose]: () => close(server) }
}

export async function freePort(): Promise<number> {
  const socket = createSocket()
  await listen(socket)
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

function listen(server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
