/**
 * Builds the same text with Octavo and the available generators, alternating so that other load on the machine affects
 * all of them, and prints times, ratios, memory, bytes, and the shares of Octavo's stages.
 *
 *   npm run bench:build -- [--pages 1000] [--rounds 3] [--only octavo,hugo] [--packages <folder>]
 *                          [--what cold,nothing,changed,memory,shares] [--site <folder>] [--keep]
 *
 * Hugo is built twice: with a list of the section on each page, as Octavo, Eleventy and Docusaurus write it for a site
 * of this size, and with a list of all pages, as Starlight and VitePress write it.
 * `--packages` adds Eleventy, Starlight, Docusaurus and VitePress, which are installed into that folder if missing.
 * `--site` builds a copy of a docs folder instead of the generated text, with Octavo only. `--keep` appends the results
 * to bench/build/results.jsonl, with the commit.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Log, silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import {
  type Generator,
  layHugo,
  layOctavo,
  layPackage,
  type Navigation,
  octavoOf,
  PACKAGE_NAMES,
} from './generators.ts'
import { measure, measureMemory, sizeOf, type Taken } from './measure.ts'
import { pagesOf } from './sites.ts'

/** Starting point of a build: no earlier output, no change, or one changed page. */
type Case = 'cold' | 'nothing' | 'changed'
const CASES: readonly Case[] = ['cold', 'nothing', 'changed']

const root = join(import.meta.dirname, '..', '..')
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    packages: { type: 'string' },
    what: { type: 'string', default: 'cold,nothing,changed,memory,shares' },
    site: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const [pages, rounds] = [Number(values.pages), Number(values.rounds)]
if (!(pages >= 1 && rounds >= 1)) throw new RangeError('--pages and --rounds are whole numbers from 1 on')
const what = new Set(values.what.split(','))

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
const putAside: string[] = []
try {
  const generators =
    values.site === undefined ? laidDown() : [copied(resolve(process.env.INIT_CWD ?? '', values.site))]
  const octavo = generators[0] as Generator
  const load = loadavg()[0]
  const results: object[] = []
  for (const one of CASES.filter((one) => what.has(one))) {
    const taken = await inTurns(generators, one)
    results.push(...generators.map(({ name }, index) => row(one, name, taken, index)))
  }
  const outputs = await lookAtOutputs(generators)
  const shares = what.has('shares') ? await stageShares(octavo) : null
  for (const table of [results, outputs, shares]) if (table) console.table(table)
  const about = values.site === undefined ? { pages } : { site: basename(values.site) }
  if (values.keep) keep({ ...about, rounds, cores: availableParallelism(), load, results, outputs, shares })
} finally {
  for (const path of [...putAside, folder]) rmSync(path, { recursive: true, force: true })
}

/** Octavo comes first. Hugo is skipped with a message if it is not installed. */
function laidDown(): Generator[] {
  const text = pagesOf(pages)
  const only = values.only?.split(',')
  const counts = (name: string) => only === undefined || only.includes(name)
  const navigations: readonly Navigation[] = counts('hugo') ? ['section', 'all'] : []
  const hugo = navigations.flatMap((navigation) => layHugo(folder, text, navigation) ?? [])
  if (counts('hugo') && hugo.length === 0) console.log('hugo is not installed')
  // npm runs scripts in the package's folder; INIT_CWD is the user's folder.
  const place = values.packages && resolve(process.env.INIT_CWD ?? '', values.packages)
  const packages = place ? PACKAGE_NAMES.filter(counts).map((name) => layPackage(name, place, text)) : []
  return [layOctavo(folder, text), ...hugo, ...packages]
}

function copied(site: string): Generator {
  const copy = join(folder, 'octavo')
  cpSync(site, copy, { recursive: true, filter: (path) => !['.git', '.octavo'].includes(basename(path)) })
  const page = globSync('**/*.mdx', { cwd: copy }).sort()[0]
  if (page === undefined) throw new Error(`${site} holds no page`)
  return octavoOf(copy, join(folder, 'octavo-out'), join(copy, page))
}

/** Returns the measurements of each generator, by round. */
async function inTurns(generators: readonly Generator[], one: Case): Promise<Taken[][]> {
  // Exclude the cost of a first run, which fills code caches and the disk cache.
  for (const generator of generators) await measure(generator.build)
  const taken = generators.map((): Taken[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, generator] of generators.entries()) {
      if (one === 'cold') empty(generator)
      const text = readFileSync(generator.page, 'utf8')
      if (one === 'changed') writeFileSync(generator.page, `${text}\nA line of round ${round}.\n`)
      spawnSync('sync')
      taken[index]?.push(await measure(generator.build))
      if (one === 'changed') writeFileSync(generator.page, text)
    }
  }
  return taken
}

/**
 * Moves existing files aside, to be removed after all measurements. A file system without a journal searches recently
 * removed files whenever it creates a file, which for some minutes takes longer than everything measured here.
 */
function empty({ out, caches }: Generator): void {
  for (const path of [out, ...caches].filter((path) => existsSync(path))) {
    const aside = mkdtempSync(`${path}-aside-`)
    renameSync(path, join(aside, basename(path)))
    putAside.push(aside)
  }
}

/** Returns medians, and Octavo's time relative to the generator: median, minimum and maximum ratio of the rounds. */
function row(one: Case, name: string, taken: readonly Taken[][], index: number): object {
  const [own, others] = [taken[0] as Taken[], taken[index] as Taken[]]
  const ratiosOf = (key: keyof Taken) =>
    own.map((each, round) => each[key] / (others[round]?.[key] ?? Number.NaN)).toSorted((a, b) => a - b)
  const ratios = (key: keyof Taken) => {
    const all = ratiosOf(key)
    return `${rounded(median(all))} (${rounded(all[0] ?? Number.NaN)}–${rounded(all.at(-1) ?? Number.NaN)})`
  }
  return {
    case: one,
    name,
    seconds: rounded(median(others.map(({ wallSeconds }) => wallSeconds))),
    cpuSeconds: rounded(median(others.map(({ cpuSeconds }) => cpuSeconds))),
    ...(index === 0
      ? {}
      : { octavoTimesAsLong: ratios('wallSeconds'), octavoTimesTheCpu: ratios('cpuSeconds') }),
  }
}

/** Measures the output and the peak memory of a cold build. */
async function lookAtOutputs(generators: readonly Generator[]): Promise<object[]> {
  const outputs: object[] = []
  for (const generator of generators) {
    empty(generator)
    const memory = what.has('memory') ? await measureMemory(generator.build) : null
    if (memory === null) await measure(generator.build)
    const { files, bytes, pages: written, htmlBytes } = sizeOf(generator.out)
    outputs.push({
      name: generator.name,
      memoryMb: memory === null ? null : Math.round(memory),
      files,
      megabytes: rounded(bytes / 1e6),
      htmlKilobytesOfPage: rounded(htmlBytes / 1000 / written),
    })
  }
  return outputs
}

/** Returns each stage's share of the time of the processes that render bodies, in percent. */
async function stageShares({ caches: [cache = ''] }: Generator): Promise<Record<string, number>> {
  let totals: Record<string, number> = {}
  const log: Log = {
    ...silentLog,
    debug: (fields, event) => {
      if (event === 'render.bodies_done') totals = { ...(fields as Record<string, number>) }
    },
  }
  const site = join(cache, '..')
  const out = join(folder, 'shares')
  const { signal } = new AbortController()
  await buildFolder({ folder: site, out, deployment: 'client-hosted', log, report: () => {}, signal })
  const { pages: _, ...stages } = totals
  const sum = Object.values(stages).reduce((all, each) => all + each, 0)
  const shares = Object.entries(stages).map(([stage, each]) => [stage, Math.round((each / sum) * 100)])
  return Object.fromEntries(shares)
}

function keep(result: object): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const changes = git('status', '--porcelain', 'src') ? ' and changes' : ''
  const commit = git('rev-parse', '--short=10', 'HEAD') + changes
  appendFileSync(join(import.meta.dirname, 'results.jsonl'), `${JSON.stringify({ commit, ...result })}\n`)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
