/** `octavo demo agent`: a complete agent job on a sample site, from a reader's complaint to the published page. */
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeSecretsFromEnv } from '../../app/config/config.ts'
import { DEMO_FEEDBACK, DEMO_PROMPT, type DemoNode, startDemoNode } from '../../app/operator/demo-job.ts'
import { createClient, type OctavoClient } from '../../client/client.ts'
import { followAgentJob } from '../../client/follow-agent-job.ts'
import type { AgentJob, AgentReview } from '../../features/agent/operations/agent.ts'
import type { FeedbackReceipt } from '../../features/reader/operations/reader.ts'
import { formatEvent } from '../agent-lines.ts'
import type { Command, CommandInput } from '../command.ts'
import { createDemoOutput, type DemoOutput } from '../demo-output.ts'
import { createProgressLine } from '../progress-line.ts'
import { createStopSignal } from '../stop-signal.ts'

const POLL_INTERVAL_MS = 1000

export const demoAgent: Command = {
  name: 'demo agent',
  summary: 'Show a complete agent job on an example site, with a recorded model and without an account.',
  worksOn: 'node',
  flags: {
    accept: { help: 'Accept the change without asking. This is the default without a terminal.' },
  },
  async run(input) {
    removeSecretsFromEnv()
    const output = createDemoOutput(input.print.isJson ? process.stderr : process.stdout)
    const quitSignal = createStopSignal()
    printIntroduction(output)
    await using demo = await start()
    const shown = await showUntilQuit(demo, output, input, quitSignal)
    output.line()
    if (shown !== null && input.print.isJson) input.print.result(shown, [])
    output.line('The demo has been stopped and removed.')
    output.line()
    return 0
  },
}

interface DemoResult {
  jobId: string
  prLink: string | null
  filesChanged: number
  state: AgentReview['state']
  feedback: string
  /** Paragraphs of the published page that the change has added. */
  shows: string[]
}

function printIntroduction(output: DemoOutput): void {
  output.title('An agent job, from a reader’s complaint to the published page')
  output.paragraph(
    'The model is a recording: its responses are replayed, and no provider is contacted.',
    'yellow',
  )
  output.paragraph(
    'Everything else is real: the git repository, the node and its database, the tools, the check, the commit, the review, the merge and the site.',
    'dim',
  )
  output.line()
}

async function start(): Promise<DemoNode> {
  const progress = createProgressLine()
  try {
    return await startDemoNode((step) => progress.update(`  ${step}`))
  } finally {
    progress.end()
  }
}

async function showUntilQuit(
  demo: DemoNode,
  output: DemoOutput,
  input: CommandInput,
  quitSignal: AbortSignal,
): Promise<DemoResult | null> {
  if (quitSignal.aborted) return null
  const quit = Promise.withResolvers<null>()
  quitSignal.addEventListener('abort', () => quit.resolve(null), { once: true })
  return await Promise.race([show(demo, output, input, quitSignal), quit.promise])
}

async function show(
  demo: DemoNode,
  output: DemoOutput,
  input: CommandInput,
  quitSignal: AbortSignal,
): Promise<DemoResult | null> {
  const client = createClient({ baseUrl: demo.url, apiKey: demo.key })
  output.labelled('Repository', demo.repository)
  output.labelled('Site', demo.site)
  const before = await readParagraphs(demo)
  const feedbackId = await submitComplaint(demo, output)
  const job = await work(demo, client, output, { feedbackId, quitSignal })
  await presentChange(demo, client, output, job)
  const state = await awaitDecision(demo, client, output, { job, isPrompted: canPrompt(input), quitSignal })
  if (state === null) return null
  return await reportOutcome(demo, client, output, { job, state, feedbackId, before })
}

function canPrompt({ has }: CommandInput): boolean {
  return process.stdin.isTTY && !has('accept')
}

async function submitComplaint(demo: DemoNode, output: DemoOutput): Promise<string> {
  const body = JSON.stringify({ ...DEMO_FEEDBACK, id: crypto.randomUUID() })
  const { id } = JSON.parse(await requestSite(demo, '/_octavo/feedback', body)) as FeedbackReceipt
  output.title('A reader says')
  output.paragraph(`“${DEMO_FEEDBACK.comment}”`)
  output.paragraph(`on ${DEMO_FEEDBACK.path}, thumb down, ${id}`, 'dim')
  return id
}

async function work(
  demo: DemoNode,
  client: OctavoClient,
  output: DemoOutput,
  { feedbackId, quitSignal }: { feedbackId: string; quitSignal: AbortSignal },
): Promise<AgentJob> {
  output.title('You ask')
  output.paragraph(DEMO_PROMPT)
  const body = { prompt: DEMO_PROMPT, feedbackIds: [feedbackId] }
  const { id, model } = await client.createAgentJob(demo.projectId, body, {
    idempotencyKey: crypto.randomUUID(),
  })
  output.paragraph(`job ${id}, model ${model}`, 'dim')
  output.title('The agent works')
  for await (const { event } of followAgentJob(client, demo.projectId, id, { signal: quitSignal }))
    for (const text of formatEvent(event)) output.paragraph(text)
  const job = await client.getAgentJob(demo.projectId, id)
  if (job.status !== 'completed') throw new Error(`The demo job ${job.status}: ${job.error}`)
  return job
}

async function presentChange(
  demo: DemoNode,
  client: OctavoClient,
  output: DemoOutput,
  job: AgentJob,
): Promise<void> {
  const { summary, files } = await client.getAgentReview(demo.projectId, job.id)
  output.title(`The change: ${job.title}`)
  for (const paragraph of (summary ?? '').split('\n\n')) {
    output.paragraph(paragraph)
    output.line()
  }
  for (const file of files) output.file(file)
  output.labelled('Branch', job.branch ?? '')
  output.labelled('Review', job.prLink ?? '')
}

/** Waits for a decision in the terminal or on the review page. Returns null if the person quits. */
async function awaitDecision(
  demo: DemoNode,
  client: OctavoClient,
  output: DemoOutput,
  { job, isPrompted, quitSignal }: { job: AgentJob; isPrompted: boolean; quitSignal: AbortSignal },
): Promise<AgentReview['state'] | null> {
  if (!isPrompted) {
    await client.acceptAgentJob(demo.projectId, job.id)
    return 'merged'
  }
  output.labelled('Key', demo.key)
  output.line()
  output.paragraph('Press Enter to accept the change, or open the review page with this key. Ctrl-C quits.')
  const over = new AbortController()
  const signal = AbortSignal.any([quitSignal, over.signal])
  const decided = await Promise.race([
    awaitEnter(signal),
    pollReviewState(demo, client, job, signal),
  ]).finally(() => over.abort())
  if (decided !== 'enter') return decided
  await client.acceptAgentJob(demo.projectId, job.id)
  return 'merged'
}

function awaitEnter(signal: AbortSignal): Promise<'enter' | null> {
  const lines = createInterface({ input: process.stdin, signal })
  const answer = Promise.withResolvers<'enter' | null>()
  lines.once('line', () => answer.resolve('enter'))
  lines.once('close', () => answer.resolve(null))
  return answer.promise
}

async function pollReviewState(
  demo: DemoNode,
  client: OctavoClient,
  job: AgentJob,
  signal: AbortSignal,
): Promise<AgentReview['state'] | null> {
  while (!signal.aborted) {
    const { state } = await client.getAgentReview(demo.projectId, job.id)
    if (state !== 'open') return state
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  return null
}

async function reportOutcome(
  demo: DemoNode,
  client: OctavoClient,
  output: DemoOutput,
  {
    job,
    state,
    feedbackId,
    before,
  }: { job: AgentJob; state: AgentReview['state']; feedbackId: string; before: string[] },
): Promise<DemoResult> {
  const outcome = { jobId: job.id, prLink: job.prLink, filesChanged: job.filesChanged, state }
  if (state !== 'merged') {
    output.title('Declined: nothing was changed')
    const { status } = await client.getFeedback(demo.projectId, feedbackId)
    return { ...outcome, feedback: status, shows: [] }
  }
  output.title('Accepted')
  output.labelled('Merged', `${await demo.newestCommit()} on ${job.source.ref}`)
  const { pageCount } = await demo.published()
  output.labelled('Published', `${pageCount} pages at ${demo.site}`)
  const after = await readParagraphs(demo)
  const shows = after.filter((text) => !before.includes(text))
  output.labelled('Before', before.filter((text) => !after.includes(text)).join(' '))
  output.labelled('Now', shows.join(' '))
  const { status } = await client.getFeedback(demo.projectId, feedbackId)
  output.labelled('Feedback', `${feedbackId} is ${status}`)
  output.line()
  return { ...outcome, feedback: status, shows }
}

async function readParagraphs(demo: DemoNode): Promise<string[]> {
  const page = await requestSite(demo, DEMO_FEEDBACK.path)
  return [...page.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) =>
    text
      .replace(/<[^>]*>/g, '')
      .replace(/&#x27;|&#39;/g, "'")
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/**
 * Sends a request to the node's own URL with the site's host name as `Host`, because not every machine resolves
 * subdomains of localhost.
 */
export function requestSite(
  demo: DemoNode,
  path: string,
  body?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { host: new URL(demo.site).host, 'content-type': 'application/json', ...more }
  const siteResponse = request(new URL(path, demo.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers,
  })
  siteResponse.on('error', reject)
  siteResponse.on('response', async (response) => {
    const text = Buffer.concat(await response.toArray()).toString()
    if ((response.statusCode ?? 500) < 300) resolve(text)
    else reject(new Error(`${demo.site}${path} returned ${response.statusCode}: ${text.slice(0, 300)}`))
  })
  siteResponse.end(body)
  return promise
}
