/**
 * Measures the time from the POST of an agent job to its pull request, with a model that answers at once, on a warm
 * node: `node bench/agent/pull-request.ts [docs folder] [--pages 1100] [--jobs 5] [--forge local|gitea|github|gitlab]`.
 * Without a folder, generates a site. Two kinds of jobs alternate: `short` reads a page, edits it and finishes; `long`
 * searches, edits, adds a page to the navigation, views it, is rejected by the check, and fixes the problem. Prints the
 * time of each job with the CPU time of all processes, and for the best job of each kind the stages reported by
 * `/metrics`.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { addProject } from '../../src/app/operator/administration.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import type { ForgeKind } from '../../src/git/forges/forge-location.ts'
import { startForgeServer } from '../../tests/kit/forge-servers/start-forge-server.ts'
import { createTestRepository } from '../../tests/kit/git.ts'
import { startTestNode } from '../../tests/kit/node.ts'
import { secondsOfTree } from './processor-time.ts'

const { values, positionals } = parseArgs({
  options: {
    pages: { type: 'string', default: '1100' },
    jobs: { type: 'string', default: '5' },
    forge: { type: 'string', default: 'local' },
    children: { type: 'string', default: '2' },
  },
  allowPositionals: true,
})
const jobs = Number(values.jobs)
/** Number of warm-up jobs, which are not part of the results. */
const COLD = 2
const SENTENCE = 'The way a change takes from a prompt to readers'
type Kind = 'short' | 'long'

const files = positionals[0] === undefined ? generated(Number(values.pages)) : await textsOf(positionals[0])
const pages = Object.keys(files).filter((path) => path.endsWith('.mdx'))
const target = pages.find((path) => files[path]?.startsWith('---\n') && path.includes('/')) ?? ''
const targetText = files[target] ?? ''
const head = targetText.slice(0, targetText.indexOf('\n---\n') + 5)

const recording = join(tmpdir(), `octavo-bench-${process.pid}.json`)
await using written = new AsyncDisposableStack()
written.defer(() => rm(recording, { force: true }))
const plan = Array.from({ length: COLD + 2 * jobs }, (_, number) => ({
  number,
  kind: (number % 2 === 0 ? 'long' : 'short') as Kind,
}))
const conversations = plan.map(({ number, kind }) => ({
  prompt: promptOf(number),
  answers: (kind === 'long' ? longAnswers(number) : shortAnswers(number)).map((toolCalls) => ({ toolCalls })),
}))
await writeFile(recording, JSON.stringify({ model: 'bench', conversations }))
const source = await openSource()
await using octavo = await startTestNode({
  OCTAVO_MODEL: `replay:${recording}`,
  OCTAVO_RENDER_CHILDREN: values.children,
  OCTAVO_LIMIT_AGENT_JOBS: '100000/3600',
  ...source.env,
})
const { queries } = octavo.node.context.database
const project = await addProject(octavo.node.context, {
  organizationId: octavo.organizationId,
  name: 'Bench',
  domains: ['bench.example.com'],
  source: source.of,
})
const told: Figures[] = []
for (const { number, kind } of plan) {
  const figures = await runJob(number, kind)
  const isCold = number < COLD
  if (!isCold) told.push(figures)
  say(
    `${isCold ? 'cold' : kind.padEnd(5)} ${ms(figures.wall)} from the POST to the pull request, processor ${ms(figures.cpu)}, load ${loadavg()[0]?.toFixed(1)}`,
  )
}
say(`\n${pages.length} pages, forge ${values.forge}:`)
for (const kind of ['short', 'long'] as const) tellBest(kind)
say('')
await source[Symbol.asyncDispose]()

interface Figures {
  kind: Kind
  wall: number
  cpu: number
  stages: Map<string, { ms: number; count: number }>
}

async function runJob(number: number, kind: Kind): Promise<Figures> {
  // Exclude leftover work of the previous job, such as watching its pull request.
  await sleep(300)
  const before = await stagesNow()
  const cpu = await secondsOfTree(process.pid)
  const began = performance.now()
  const answer = await fetch(`${octavo.url}/v2/agent/${project.id}/job`, {
    method: 'POST',
    headers: { authorization: `Bearer ${octavo.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: promptOf(number) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { id } = (await answer.json()) as { id: string }
  const posted = performance.now() - began
  const row = async () =>
    await queries
      .selectFrom('agent_jobs')
      .select(['status', 'error', 'created_at', 'turn_started_at', 'pull_request_state'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  let job = await row()
  while (job.status === 'active') {
    await sleep(10)
    job = await row()
  }
  const wall = performance.now() - began
  if (job.pull_request_state === null) throw new Error(`no pull request: ${job.error} ${await checksOf(id)}`)
  const spent = ((await secondsOfTree(process.pid)) - cpu) * 1000
  const stages = difference(before, await stagesNow())
  stages.set('post', { ms: posted, count: 1 })
  const claimed = (job.turn_started_at?.getTime() ?? 0) - job.created_at.getTime()
  stages.set('claim', { ms: claimed, count: 1 })
  return { kind, wall, cpu: spent, stages }
}

/** Returns the problems found by the check, for debugging this benchmark. */
async function checksOf(id: string): Promise<string> {
  const rows = await queries.selectFrom('agent_job_events').selectAll().where('job_id', '=', id).execute()
  return JSON.stringify(rows.filter((row) => JSON.stringify(row).includes('"problems"')))
}

type Stages = Map<string, { ms: number; count: number }>

async function stagesNow(): Promise<Stages> {
  const text = await (await fetch(`${octavo.url}/metrics`)).text()
  const found: Stages = new Map()
  for (const [, what, labels = '', figure] of text.matchAll(
    /^octavo_job_stage_duration_seconds_(sum|count)\{([^}]*)\} (\S+)/gm,
  )) {
    const stage = /stage="(\w+)"/.exec(labels)?.[1] ?? ''
    if (!labels.includes('job="agent.run"')) continue
    const one = found.get(stage) ?? { ms: 0, count: 0 }
    found.set(
      stage,
      what === 'sum' ? { ...one, ms: Number(figure) * 1000 } : { ...one, count: Number(figure) },
    )
  }
  return found
}

function difference(before: Stages, after: Stages): Stages {
  return new Map(
    [...after].map(([stage, { ms, count }]) => {
      const was = before.get(stage) ?? { ms: 0, count: 0 }
      return [stage, { ms: ms - was.ms, count: count - was.count }]
    }),
  )
}

function tellBest(kind: Kind): void {
  const own = told.filter((figures) => figures.kind === kind).sort((a, b) => a.wall - b.wall)
  const [best] = own
  const middle = own[own.length >> 1]
  if (best === undefined || middle === undefined) return
  say(
    `${kind}: best ${ms(best.wall)} (processor ${ms(best.cpu)}), middle ${ms(middle.wall)} (${ms(middle.cpu)})`,
  )
  const stages = [
    'post',
    'claim',
    'open',
    'model',
    'tools',
    'save',
    'check',
    'commit',
    'push',
    'forge',
    'record',
  ]
  const parts = stages.flatMap((stage) => {
    const one = best.stages.get(stage)
    return one === undefined || one.count === 0 ? [] : [`${stage} ${one.count} × ${ms(one.ms / one.count)}`]
  })
  say(`  ${parts.join(', ')}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function ms(figure: number): string {
  return figure < 1000 ? `${Math.round(figure)} ms` : `${(figure / 1000).toFixed(2)} s`
}

function promptOf(number: number): string {
  return `Write a page about how this site is changed. It is the one with number ${number}.`
}

type Call = { name: string; input: unknown }

function finishing(paths: string[]): Call {
  const reasons = paths.map((path) => ({ path, reason: 'It was asked for.' }))
  return { name: 'finish', input: { title: 'Say how this site is changed', summary: 'A page.', reasons } }
}

function editing(number: number, link: string): Call {
  const newText = `${head}\n${SENTENCE}${link}, ${number}.\n`
  return { name: 'edit_file', input: { path: target, oldText: head, newText } }
}

function shortAnswers(number: number): Call[][] {
  return [
    [{ name: 'search', input: { query: 'how to change the documentation', mode: 'pages' } }],
    [{ name: 'read_file', input: { path: target } }],
    [editing(number, '')],
    [finishing([target])],
  ]
}

function longAnswers(number: number): Call[][] {
  const added = `how-this-site-is-changed-${number}`
  const file = `${added}.mdx`
  const text = `---\ntitle: "How this site is changed, ${number}"\ndescription: "${SENTENCE}."\n---\n\n${SENTENCE}.\n\n- [Back](/octavo/nowhere)\n`
  const paths = [target, file]
  return [
    [{ name: 'list_files', input: { glob: '**/*.mdx' } }],
    [
      { name: 'search', input: { query: 'how to change the documentation', mode: 'pages' } },
      { name: 'search', input: { query: 'chang(e|ed|ing)', mode: 'regex' } },
    ],
    [{ name: 'read_file', input: { path: target } }],
    [
      editing(number, ` is told [on a page](/${added})`),
      { name: 'write_file', input: { path: file, text: text.replace('title:', 'hidden: true\ntitle:') } },
    ],
    [{ name: 'preview', input: { path: file } }],
    [finishing(paths)],
    [
      {
        name: 'edit_file',
        input: { path: file, oldText: '/octavo/nowhere', newText: `/${target.slice(0, -4)}` },
      },
    ],
    [{ name: 'check', input: {} }],
    [finishing(paths)],
  ]
}

function generated(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `part-${i % 20}/page-${i}`)
  const groups = Array.from({ length: 20 }, (_, part) => ({
    group: `Part ${part}`,
    pages: names.filter((_, i) => i % 20 === part),
  }))
  const config = { name: 'Bench', theme: 'mint', colors: { primary: '#16A34A' }, navigation: { groups } }
  const body = (i: number) =>
    Array.from(
      { length: 12 },
      (_, section) =>
        `## Section ${section} of ${i}\n\nHow to change setting ${i * 12 + section}: see [the next page](/${names[(i + section + 1) % count]}) and \`option-${section}\`. ${'Words that say something about it. '.repeat(6)}\n\n\`\`\`ts\nconst value${section} = read('${i}')\n\`\`\`\n`,
    ).join('\n')
  return {
    'docs.json': JSON.stringify(config),
    ...Object.fromEntries(
      names.map((name, i) => [
        `${name}.mdx`,
        `---\ntitle: "Page ${i}"\ndescription: "What page ${i} says."\n---\n\n${body(i)}`,
      ]),
    ),
  }
}

async function textsOf(folder: string): Promise<Record<string, string>> {
  await using tree = await openFolderTree(resolve(folder))
  const texts: Record<string, string> = {}
  for (const path of tree.files.keys()) {
    if (/\.(?:mdx?|json|ya?ml|jsx|css|svg)$/.test(path))
      texts[path] = await readFile(join(folder, path), 'utf8')
  }
  return texts
}

interface BenchSource extends AsyncDisposable {
  env: Record<string, string>
  of: { kind: 'folder' | 'git'; repository: string }
}

async function openSource(): Promise<BenchSource> {
  if (values.forge === 'local') {
    const repository = await createTestRepository()
    await repository.commit(files)
    return {
      env: {},
      of: { kind: 'folder', repository: repository.folder } as const,
      [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
    }
  }
  const forge = await startForgeServer(values.forge as ForgeKind, { files })
  return {
    env: {
      OCTAVO_FORGES: `${forge.host}=${forge.kind}`,
      OCTAVO_GIT_TOKENS: `${forge.host}=${forge.token}`,
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_GIT_ALLOW_HTTP: 'true',
    },
    of: { kind: 'git', repository: forge.address } as const,
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  }
}
