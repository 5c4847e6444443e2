/** `octavo demo agent`: a complete agent job on a sample site, from a reader's complaint to the published page. */
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetSecrets } from '../../app/config/config.ts'
import { DEMO_FEEDBACK, DEMO_PROMPT, type DemoNode, startDemoNode } from '../../app/operator/demo-job.ts'
import { createClient, type OctavoClient } from '../../client/client.ts'
import { followAgentJob } from '../../client/follow-agent-job.ts'
import type { AgentJob, AgentReview } from '../../features/agent/operations/agent.ts'
import type { FeedbackReceipt } from '../../features/reader/operations/reader.ts'
import type { Command, CommandInput } from '../command.ts'
import { createSheet, type Sheet } from '../demo-lines.ts'
import { createProgressLine } from '../progress-line.ts'
import { createStopSignal } from '../stop-signal.ts'

const LOOK_MS = 1000

export const demoAgent: Command = {
  name: 'demo agent',
  summary: 'Show a whole agent job on an example site, without any account. The model is a replay.',
  worksOn: 'node',
  flags: {
    accept: { help: 'Accept the change without asking, as is done where no terminal is there to ask.' },
  },
  async run(input) {
    forgetSecrets()
    const sheet = createSheet(input.print.isJson ? process.stderr : process.stdout)
    const left = createStopSignal()
    introduce(sheet)
    await using demo = await start()
    const shown = await showUntilLeft(demo, sheet, input, left)
    sheet.line()
    if (shown !== null && input.print.isJson) input.print.result(shown, [])
    sheet.line('Everything of this demonstration is stopped and removed.')
    sheet.line()
    return 0
  },
}

interface Shown {
  jobId: string
  prLink: string | null
  filesChanged: number
  state: AgentReview['state']
  /** Id of the feedback that the job answers. */
  feedback: string
  /** Paragraphs of the published page that were not there before. */
  shows: string[]
}

function introduce(sheet: Sheet): void {
  sheet.title('An agent job, from a reader’s complaint to the published page')
  sheet.paragraph(
    'The model is a replay: its answers were written down beforehand, and nobody is asked.',
    'yellow',
  )
  sheet.paragraph(
    'Everything else happens: a git repository, a node with its database, the tools, the check, the commit, the review, the merge, the site.',
    'dim',
  )
  sheet.line()
}

async function start(): Promise<DemoNode> {
  const progress = createProgressLine()
  try {
    return await startDemoNode((step) => progress.update(`  ${step}`))
  } finally {
    progress.end()
  }
}

/** Shows the demo until the person quits, and then returns null. */
async function showUntilLeft(
  demo: DemoNode,
  sheet: Sheet,
  input: CommandInput,
  left: AbortSignal,
): Promise<Shown | null> {
  if (left.aborted) return null
  const leaving = Promise.withResolvers<null>()
  left.addEventListener('abort', () => leaving.resolve(null), { once: true })
  return await Promise.race([show(demo, sheet, input, left), leaving.promise])
}

/** Runs the demo. Returns null if the input ends when a decision is required. */
async function show(
  demo: DemoNode,
  sheet: Sheet,
  input: CommandInput,
  left: AbortSignal,
): Promise<Shown | null> {
  const client = createClient({ baseUrl: demo.url, apiKey: demo.key })
  sheet.fact('Repository', demo.repository)
  sheet.fact('Site', demo.site)
  const before = await readParagraphs(demo)
  const feedbackId = await complain(demo, sheet)
  const job = await work(demo, client, sheet, { feedbackId, left })
  await present(demo, client, sheet, job)
  const state = await decide(demo, client, sheet, { job, isAsked: mayAsk(input), left })
  if (state === null) return null
  return await tellOutcome(demo, client, sheet, { job, state, feedbackId, before })
}

function mayAsk({ has }: CommandInput): boolean {
  return process.stdin.isTTY && !has('accept')
}

/** Submits feedback as the form on the page does. */
async function complain(demo: DemoNode, sheet: Sheet): Promise<string> {
  const body = JSON.stringify({ ...DEMO_FEEDBACK, id: crypto.randomUUID() })
  const { id } = JSON.parse(await askSite(demo, '/_octavo/feedback', body)) as FeedbackReceipt
  sheet.title('A reader says')
  sheet.paragraph(`“${DEMO_FEEDBACK.comment}”`)
  sheet.paragraph(`on ${DEMO_FEEDBACK.path}, thumb down, ${id}`, 'dim')
  return id
}

async function work(
  demo: DemoNode,
  client: OctavoClient,
  sheet: Sheet,
  { feedbackId, left }: { feedbackId: string; left: AbortSignal },
): Promise<AgentJob> {
  sheet.title('You ask')
  sheet.paragraph(DEMO_PROMPT)
  const body = { prompt: DEMO_PROMPT, feedbackIds: [feedbackId] }
  const { id, model } = await client.createAgentJob(demo.projectId, body, {
    idempotencyKey: crypto.randomUUID(),
  })
  sheet.paragraph(`job ${id}, model ${model}`, 'dim')
  sheet.title('The agent works')
  for await (const { event } of followAgentJob(client, demo.projectId, id, { signal: left }))
    sheet.event(event)
  const job = await client.getAgentJob(demo.projectId, id)
  if (job.status !== 'completed') throw new Error(`The job of the demonstration ${job.status}: ${job.error}`)
  return job
}

async function present(demo: DemoNode, client: OctavoClient, sheet: Sheet, job: AgentJob): Promise<void> {
  const { summary, files } = await client.getAgentReview(demo.projectId, job.id)
  sheet.title(`The change: ${job.title}`)
  for (const paragraph of (summary ?? '').split('\n\n')) {
    sheet.paragraph(paragraph)
    sheet.line()
  }
  for (const file of files) sheet.file(file)
  sheet.fact('Branch', job.branch ?? '')
  sheet.fact('Review', job.prLink ?? '')
}

/** Waits for a decision, also on the review page. Returns null if the person quits. */
async function decide(
  demo: DemoNode,
  client: OctavoClient,
  sheet: Sheet,
  { job, isAsked, left }: { job: AgentJob; isAsked: boolean; left: AbortSignal },
): Promise<AgentReview['state'] | null> {
  if (!isAsked) {
    await client.acceptAgentJob(demo.projectId, job.id)
    return 'merged'
  }
  sheet.fact('Key', demo.key)
  sheet.line()
  sheet.paragraph('Look at it. Enter accepts it here, the review page with that key; Ctrl-C leaves.')
  const over = new AbortController()
  const signal = AbortSignal.any([left, over.signal])
  const decided = await Promise.race([
    awaitEnter(signal),
    decidedElsewhere(demo, client, job, signal),
  ]).finally(() => over.abort())
  if (decided !== 'enter') return decided
  await client.acceptAgentJob(demo.projectId, job.id)
  return 'merged'
}

/** Waits for Enter. Returns null at the end of input, or when aborted. */
function awaitEnter(signal: AbortSignal): Promise<'enter' | null> {
  const lines = createInterface({ input: process.stdin, signal })
  const answer = Promise.withResolvers<'enter' | null>()
  lines.once('line', () => answer.resolve('enter'))
  lines.once('close', () => answer.resolve(null))
  return answer.promise
}

/** Waits for a decision on the review page. Returns null when aborted. */
async function decidedElsewhere(
  demo: DemoNode,
  client: OctavoClient,
  job: AgentJob,
  signal: AbortSignal,
): Promise<AgentReview['state'] | null> {
  while (!signal.aborted) {
    const { state } = await client.getAgentReview(demo.projectId, job.id)
    if (state !== 'open') return state
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
  return null
}

async function tellOutcome(
  demo: DemoNode,
  client: OctavoClient,
  sheet: Sheet,
  {
    job,
    state,
    feedbackId,
    before,
  }: { job: AgentJob; state: AgentReview['state']; feedbackId: string; before: string[] },
): Promise<Shown> {
  const outcome = { jobId: job.id, prLink: job.prLink, filesChanged: job.filesChanged, state }
  if (state !== 'merged') {
    sheet.title('Declined: nothing has changed')
    const { status } = await client.getFeedback(demo.projectId, feedbackId)
    return { ...outcome, feedback: status, shows: [] }
  }
  sheet.title('Accepted')
  sheet.fact('Merged', `${await demo.newestCommit()} on ${job.source.ref}`)
  const { pageCount } = await demo.published()
  sheet.fact('Published', `${pageCount} pages at ${demo.site}`)
  const after = await readParagraphs(demo)
  const shows = after.filter((text) => !before.includes(text))
  sheet.fact('Read before', before.filter((text) => !after.includes(text)).join(' '))
  sheet.fact('Read now', shows.join(' '))
  const { status } = await client.getFeedback(demo.projectId, feedbackId)
  sheet.fact('Feedback', `${feedbackId} is ${status}`)
  sheet.line()
  return { ...outcome, feedback: status, shows }
}

/** Returns the paragraphs of the published page that the reader complained about. */
async function readParagraphs(demo: DemoNode): Promise<string[]> {
  const page = await askSite(demo, DEMO_FEEDBACK.path)
  return [...page.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) =>
    text
      .replace(/<[^>]*>/g, '')
      .replace(/&#x27;|&#39;/g, "'")
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/**
 * Requests the node's address with the site's host name, because not every machine resolves names below localhost.
 */
function askSite(demo: DemoNode, path: string, body?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { host: new URL(demo.site).host, 'content-type': 'application/json' }
  const asked = request(new URL(path, demo.url), { method: body === undefined ? 'GET' : 'POST', headers })
  asked.on('error', reject)
  asked.on('response', async (response) => {
    const text = Buffer.concat(await response.toArray()).toString()
    if ((response.statusCode ?? 500) < 300) resolve(text)
    else reject(new Error(`${demo.site}${path} answered ${response.statusCode}: ${text.slice(0, 300)}`))
  })
  asked.end(body)
  return promise
}
