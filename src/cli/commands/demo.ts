/** `octavo demo`: a node with an example organization and its data, which later starts reuse. */
import { realpath, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { removeSecretsFromEnv } from '../../app/config/config.ts'
import {
  DEMO_FEEDBACK,
  DEMO_PROMPT,
  type DemoNode,
  demoDataFolder,
  readDemoState,
  startDemoNode,
  writeDemoState,
} from '../../app/operator/demo-job.ts'
import { announceServer, listRunningServers, type RunningServer } from '../../app/operator/running-servers.ts'
import { createSetupLink } from '../../app/operator/sign-in.ts'
import { createClient } from '../../client/client.ts'
import type { PageEvent } from '../../features/analytics/operations/analytics-events.ts'
import type { FeedbackReceipt } from '../../features/reader/operations/reader.ts'
import { connectTo } from '../api-client.ts'
import { type Command, UsageError } from '../command.ts'
import { RefusedError } from '../operator-error.ts'
import { createProgressLine } from '../progress-line.ts'
import { createStopSignal, whenAborted } from '../stop-signal.ts'
import { requestSite } from './demo-agent.ts'

const FEEDBACK_ENTRIES = 240
const FEEDBACK_DAYS = 30

export const demo: Command = {
  name: 'demo',
  summary: 'Run a node with an example organization: a site, feedback, an agent job, an export and insights.',
  worksOn: 'node',
  flags: {
    data: { value: 'folder', help: 'Folder of the demo. Default: .octavo-demo in your home folder.' },
    port: { value: 'number', help: 'Port of the node. Default: 4100.' },
    reset: { help: 'Remove the demo in the folder, and create a new one.' },
  },
  async run({ flag, has, print }) {
    removeSecretsFromEnv()
    const folder = resolve(flag('data') ?? join(homedir(), '.octavo-demo'))
    const port = readPort(flag('port') ?? '4100')
    const running = await findRunning(folder)
    if (running !== null)
      throw new RefusedError(`This demo is already running at ${running.publicUrl} (process ${running.pid}).`)
    // Removes only a folder that this command has filled.
    if (has('reset') && (await readDemoState(folder)) !== null) await rm(folder, { recursive: true })
    const stop = createStopSignal()
    const line = createProgressLine()
    const report = (step: string) => line.update(`  ${step}`)
    await using node = await startDemoNode(report, { folder, port })
    const { context, url, site, key, projectId } = node
    await using _announced = await announceServer(context.config, { port: context.port(), publicUrl: url })
    if (node.isNew) await fillDemo(node, folder, report)
    line.end()
    const setupUrl = await createSetupLink(context)
    print.result({ url, site, key, projectId, setupUrl }, [
      `Dashboard  ${setupUrl ?? url}`,
      `Site       ${site}`,
      'The language model is a recording of one job, which waits for your review. Ctrl-C stops the demo.',
    ])
    await whenAborted(stop)
    return 0
  },
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new UsageError('--port must be a whole number from 0 to 65535.')
  return port
}

async function findRunning(folder: string): Promise<RunningServer | null> {
  const data = await realpath(demoDataFolder(folder)).catch(() => null)
  return (await listRunningServers()).find(({ dataFolder }) => dataFolder === data) ?? null
}

async function fillDemo(node: DemoNode, folder: string, report: (step: string) => void): Promise<void> {
  const { url, domain, projectId } = node
  const client = createClient({ baseUrl: url, apiKey: node.key })
  const { call } = await connectTo({ url, dataFolder: demoDataFolder(folder), publicUrl: url })
  report('Writing a month of feedback …')
  const body = { count: FEEDBACK_ENTRIES, spreadDays: FEEDBACK_DAYS }
  await call('addDemoFeedback', { params: { projectId }, body })
  const complaint = JSON.stringify({ ...DEMO_FEEDBACK, id: crypto.randomUUID() })
  const { id } = JSON.parse(await requestSite(node, '/_octavo/feedback', complaint)) as FeedbackReceipt
  report('Reading pages …')
  for (const reader of READERS.keys()) await readPages(node, reader)
  report('Starting an agent job and an export …')
  await client.createAgentJob(projectId, { prompt: DEMO_PROMPT, feedbackIds: [id] })
  await client.startExport({ domain })
  await writeDemoState(folder, node)
}

const READERS = [
  ['/', '/quickstart', '/guides/restore'],
  ['/', '/guides/restore'],
  ['/guides/restore', '/reference/commands'],
  ['/', '/quickstart', '/guides/schedule', '/reference/settings'],
  ['/quickstart', '/reference/commands'],
  ['/guides/schedule'],
]
const SEARCHES = ['single file', 'restore one photo', 'schedule', 'undelete']
const REFERRERS = ['www.google.com', 'news.ycombinator.com', 'github.com']

/** Sends the events of a reader, as the pages do. Visitors differ only in their browser. */
async function readPages(node: DemoNode, reader: number): Promise<void> {
  const [referrer, query] = [REFERRERS[reader % REFERRERS.length], SEARCHES[reader % SEARCHES.length]]
  const views = (READERS[reader] ?? []).map((path, at) => ({
    ...{ kind: 'view', path, ago: at * 1000 },
    ...(at === 0 && referrer !== undefined && { referrer }),
  }))
  const search = { kind: 'search', path: '/', ago: 0, query, results: query === 'schedule' ? 2 : 0 }
  const events = [...views, search] as PageEvent[]
  const browser = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${140 + reader}.0.0.0 Safari/537.36`
  const body = JSON.stringify({ id: crypto.randomUUID(), events })
  await requestSite(node, '/_octavo/events', body, { 'user-agent': browser })
}
