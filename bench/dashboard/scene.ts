/**
 * Runs a whole node with content in every part of the dashboard, for viewing and measuring it:
 *
 *   node bench/dashboard/scene.ts <docs folder> <data folder> [port]
 *
 * The docs folder is copied into a new git repository, which is published as a project. There are 5,000 entries of
 * feedback, agent jobs and exports in every state, webhooks with successful and failed deliveries, keys, members of
 * each role, and a second, empty project. Prints one JSON line with the URL, the people and the ids, and runs until
 * Ctrl-C. The first start of a data folder takes some minutes; later ones only start the node and its model. A data
 * folder that is not in use can be copied, which is faster than creating another one.
 *
 * The model is scripted: for a prompt without a script it adds a sentence to a page, slowly enough to watch. Two of its
 * jobs never continue, and one waits for a busy model; the running and the queued export are rows without a worker. The
 * receiver of the webhooks listens on the port after the given one (default 4100).
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { loadConfig } from '../../src/app/config/config.ts'
import { startNode } from '../../src/app/node.ts'
import { addKey, addOrganization, addProject } from '../../src/app/operator/administration.ts'
import { publishSample } from '../../src/app/operator/sample-site.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import type { FeedbackList } from '../../src/features/feedback/operations/feedback.ts'
import { DEMO_BATCH_SIZE } from '../../src/features/reader/operations/demo-feedback.ts'
import { createTestRepository } from '../../tests/kit/git.ts'
import { operatorOf } from '../../tests/kit/operator.ts'
import { writeSite } from '../../tests/kit/site.ts'
import { type SceneJob, sceneJobs } from './scene-jobs.ts'
import { startSceneModel } from './scene-model.ts'
import { choosePages } from './scene-pages.ts'
import {
  ADDRESSES,
  addExports,
  addKeys,
  addPeople,
  addWebhooks,
  giveUpSome,
  type ScenePeople,
  type ScenePlace,
  signInAll,
  startReceiver,
} from './scene-surroundings.ts'

const DOMAIN = 'docs.scene.localhost'
const ENTRIES = 5000

interface Made {
  /** Original data folder. It may have been copied since. */
  dataFolder: string
  /** Base URL of the webhooks. */
  receiver: string
  organizationId: string
  projectId: string
  emptyProjectId: string
  key: string
  jobs: Record<string, string>
  exports: Record<string, string>
}

const [docs, data, given = '4100'] = process.argv.slice(2)
if (docs === undefined || data === undefined)
  throw new Error('usage: node bench/dashboard/scene.ts <docs folder> <data folder> [port]')
const dataFolder = resolve(data)
const port = Number(given)
const receiver = `http://127.0.0.1:${port + 1}`
const madeFile = join(dataFolder, 'scene.json')

await mkdir(dataFolder, { recursive: true })
await using running = new AsyncDisposableStack()
const pages = await choosePages(resolve(docs))
const jobs = sceneJobs(pages)
const model = running.use(
  await startSceneModel(
    jobs.flatMap(({ turns }) => turns),
    pages,
  ),
)
const { config, secrets } = loadConfig(
  {},
  {
    PORT: String(port),
    OCTAVO_DATA: dataFolder,
    OCTAVO_LOG: 'error',
    OCTAVO_WORKERS: '8',
    OCTAVO_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1:*',
    OCTAVO_MODEL: 'openai-compatible:stand-in-large',
    OCTAVO_MODEL_URL: model.url,
    OCTAVO_MODEL_KEY: 'x',
    OCTAVO_MODEL_WAIT: '3600',
    OCTAVO_MODEL_PRICES: 'openai-compatible:stand-in-large=3/15',
    OCTAVO_AGENT_MINUTES: '480',
    OCTAVO_AGENT_PATIENCE: '86400',
    OCTAVO_LIMIT_READS: '100000/60',
    OCTAVO_LIMIT_EXPORTS: '1000/60',
    OCTAVO_LIMIT_AGENT_JOBS: '1000/60',
    OCTAVO_LIMIT_MEMBERS: '100000/60',
    OCTAVO_LIMIT_SIGN_INS: '10000/60',
    OCTAVO_LIMIT_SITE_FEEDBACK: '1000000/60',
  },
)
const node = await startNode(config, secrets)
running.defer(() => node.stop())
const { context } = node
running.use(startReceiver(port + 1))
const url = context.publicUrl()
// Builds the dashboard if there is no build of these sources.
await (await fetch(`${url}/sign-in`, { headers: { accept: 'text/html' } })).text()
const known = await readFile(madeFile, 'utf8').catch(() => null)
const made = known === null ? await make(docs) : await find(JSON.parse(known) as Made)
process.stdout.write(`${JSON.stringify({ url, ...made, people: ADDRESSES })}\n`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])

async function make(docsFolder: string): Promise<Made> {
  const { place, emptyProjectId, key } = await addProjects(docsFolder)
  await addPeople(place)
  const people = await signInAll(place)
  await addKeys(place)
  const { call, findProject } = await operatorOf({
    url: context.publicUrl(),
    dataFolder: context.folder.path,
  })
  const params = { projectId: (await findProject(DOMAIN)).id }
  for (let left = ENTRIES; left > 0; left -= DEMO_BATCH_SIZE)
    await call('addDemoFeedback', {
      params,
      body: { count: Math.min(left, DEMO_BATCH_SIZE), spreadDays: 90 },
    })
  tell(`${ENTRIES} entries of feedback`)
  await addWebhooks(people, receiver)
  await triage(place, people)
  const ids = await addJobs(place, people)
  tell('agent jobs')
  const exports = await addExports(place, people)
  tell('exports')
  await giveUpSome(place)
  const { organizationId, projectId } = place
  return await keep({
    dataFolder,
    receiver,
    organizationId,
    projectId,
    emptyProjectId,
    key,
    jobs: ids,
    exports,
  })
}

async function keep(all: Made): Promise<Made> {
  await writeFile(madeFile, JSON.stringify(all))
  return all
}

/** Updates the absolute paths of repositories in the data folder, and the port of the webhook receiver. */
async function find(all: Made): Promise<Made> {
  const { queries } = context.database
  for (const table of ['projects', 'agent_jobs'])
    await sql`UPDATE ${sql.table(table)}
      SET repository = replace(repository, ${all.dataFolder}, ${dataFolder})`.execute(queries)
  await sql`UPDATE webhook_endpoints SET url = replace(url, ${all.receiver}, ${receiver})`.execute(queries)
  return await keep({ ...all, dataFolder, receiver })
}

async function addProjects(docsFolder: string) {
  const repository = await createTestRepository({}, dataFolder)
  const run = promisify(execFile)
  await run('cp', ['-R', `${resolve(docsFolder)}/.`, repository.folder])
  await run('chmod', ['-R', 'u+w', repository.folder])
  await repository.commit({})
  const organization = await addOrganization(context, { name: 'Harbour Works', plan: 'enterprise' })
  const organizationId = organization.id
  const { text: key } = await addKey(context, { organizationId, name: 'First admin key' })
  const source = { kind: 'folder', repository: repository.folder } as const
  const project = await addProject(context, {
    organizationId,
    name: 'Product documentation',
    domains: [DOMAIN],
    source,
  })
  const empty = join(dataFolder, 'handbook')
  await writeSite(empty, { 'index.mdx': '---\ntitle: Handbook\n---\n\nTo be written.\n' })
  const emptyProject = await addProject(context, {
    organizationId,
    name: 'Handbook',
    domains: ['handbook.scene.localhost'],
    source: { kind: 'folder', repository: empty },
  })
  const { status, error, pageCount } = await publishSample(context, project)
  if (status === 'failed') throw new Error(`the site was not published: ${error}`)
  tell(`${pageCount} pages published`)
  const place: ScenePlace = { context, organizationId, projectId: project.id, domain: DOMAIN }
  return { place, emptyProjectId: emptyProject.id, key }
}

/** Marks some entries as in progress, resolved with or without a note, or dismissed. */
async function triage({ projectId }: ScenePlace, { editor }: ScenePeople): Promise<void> {
  const list = `/v1/analytics/${projectId}/feedback`
  let cursor: string | null = null
  for (const { status, note } of [
    { status: 'resolved', note: 'Corrected in the last release of the docs.' },
    { status: 'dismissed', note: 'Not about the documentation.' },
    { status: 'in_progress', note: undefined },
    { status: 'resolved', note: undefined },
  ]) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === null ? {} : { cursor }) })
    const found: FeedbackList = await editor.json<FeedbackList>(`${list}?${query}`)
    cursor = found.nextCursor
    const ids = found.feedback.filter((_, index) => index % 3 !== 0).map(({ id }) => id)
    await editor.json(list, { method: 'PATCH', body: { status, ids, ...(note ? { note } : {}) } })
  }
}

async function addJobs(place: ScenePlace, people: ScenePeople): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const job of jobs) {
    ids[job.name] = await addJob(place, people, job)
    if (job.hoursAgo !== null) await moveBack(ids[job.name] as string, job.hoursAgo)
  }
  return ids
}

async function addJob({ projectId }: ScenePlace, people: ScenePeople, job: SceneJob): Promise<string> {
  const { by, turns, closing, feedback = 0 } = job
  const person = people[by]
  const [first, ...later] = turns
  const feedbackIds = feedback === 0 ? [] : await complaints(projectId, people, feedback)
  const { id } = await person.post<AgentJob>(`/v2/agent/${projectId}/job`, {
    prompt: first.prompt,
    ...(feedbackIds.length === 0 ? {} : { feedbackIds }),
  })
  const path = `/v2/agent/${projectId}/job/${id}`
  await settled(person, path, first)
  for (const turn of later) {
    await person.post(`${path}/message`, { prompt: turn.prompt })
    await settled(person, path, turn)
  }
  if (closing !== undefined) await person.post(`${path}/${closing}`)
  return id
}

async function complaints(projectId: string, { owner }: ScenePeople, count: number): Promise<string[]> {
  const query = new URLSearchParams({ status: 'pending', limit: '100' })
  const { feedback } = await owner.json<FeedbackList>(`/v1/analytics/${projectId}/feedback?${query}`)
  return feedback
    .filter(({ comment }) => comment !== null)
    .slice(0, count)
    .map(({ id }) => id)
}

/** Waits until the job has ended, or until its script leaves it running. */
async function settled(
  person: ScenePeople['owner'],
  path: string,
  { prompt, end }: SceneJob['turns'][0],
): Promise<void> {
  for (;;) {
    const { status, error } = await person.json<AgentJob>(path)
    if (status === 'failed' || status === 'completed')
      return tell(`${prompt.slice(0, 50)} … ${error ?? status}`)
    if ((end === 'silent' || end === 'busy') && model.isAtEnd(prompt)) return
    await sleep(200)
  }
}

async function moveBack(jobId: string, hours: number): Promise<void> {
  const { queries } = context.database
  const by = sql`make_interval(hours => ${hours})`
  await sql`UPDATE agent_jobs SET created_at = created_at - ${by}, updated_at = updated_at - ${by},
    turn_started_at = turn_started_at - ${by}, archived_at = archived_at - ${by} WHERE id = ${jobId}`.execute(
    queries,
  )
  await sql`UPDATE agent_job_prompts SET created_at = created_at - ${by}, started_at = started_at - ${by},
    ended_at = ended_at - ${by} WHERE job_id = ${jobId}`.execute(queries)
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}
