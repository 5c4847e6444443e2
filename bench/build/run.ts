/**
 * Builds the same text with Octavo and with the peers that are installed, in turns, so that what else the machine does
 * meets all of them, and prints ratios, memory, bytes, and the shares of Octavo's stages.
 *
 *   npm run bench:build -- [--pages 1000] [--rounds 3] [--keep]
 *
 * `--keep` adds the figures to bench/build/results.jsonl, with the commit.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Log, silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/export/build-folder.ts'
import { measure, sizeOf, type Taken } from './measure.ts'
import { writeSites } from './sites.ts'

interface Peer {
  name: string
  out: string
  build(): Promise<Taken>
}

interface Figures extends Taken {
  name: string
  files: number
  megabytes: number
  htmlKilobytesOfPage: number
}

const root = join(import.meta.dirname, '..', '..')
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
})
const [pages, rounds] = [Number(values.pages), Number(values.rounds)]
if (!(pages >= 1 && rounds >= 1)) throw new RangeError('--pages and --rounds are whole numbers from 1 on')

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
try {
  const sites = writeSites(folder, pages)
  const peers = peersFor(sites)
  const taken = await inTurns(peers)
  const figures = peers.map((peer, index) => figuresOf(peer, taken[index] as Taken[]))
  const ratios = peers
    .slice(1)
    .map(({ name }, index) => ratioTo(name, taken[0] as Taken[], taken[index + 1] as Taken[]))
  const shares = await stageShares(sites.octavo)
  console.table(figures.map(rounded))
  console.table(ratios)
  console.table(shares)
  if (values.keep)
    keep({ pages, rounds, cores: availableParallelism(), figures: figures.map(rounded), ratios, shares })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Octavo first. A peer that is not installed is left out, and said to be. */
function peersFor(sites: { octavo: string; hugo: string }): Peer[] {
  const [own, hugo] = [join(folder, 'octavo-out'), join(folder, 'hugo-out')]
  const command = [join(root, 'src', 'cli', 'main.ts'), 'build', sites.octavo, '--out', own, '--no-cache']
  const peers = [{ name: 'octavo', out: own, build: () => measure(process.execPath, command, root) }]
  const found = spawnSync('hugo', ['version'], { encoding: 'utf8' })
  const version = /v([\d.]+)/.exec(found.stdout ?? '')?.[1]
  if (version) {
    const build = () => measure('hugo', ['--quiet', '--destination', hugo], sites.hugo)
    peers.push({ name: `hugo ${version}`, out: hugo, build })
  } else console.log('hugo is not installed')
  return peers
}

async function inTurns(peers: readonly Peer[]): Promise<Taken[][]> {
  const taken = peers.map((): Taken[] => [])
  // What a first run makes for all later ones is no part of a build.
  for (const peer of peers) await peer.build()
  for (let round = 0; round < rounds; round++) {
    for (const [index, peer] of peers.entries()) {
      rmSync(peer.out, { recursive: true, force: true })
      taken[index]?.push(await peer.build())
    }
  }
  return taken
}

function figuresOf({ name, out }: Peer, taken: readonly Taken[]): Figures {
  const { files, bytes, pages: written, htmlBytes } = sizeOf(out)
  const memory = taken.flatMap(({ memoryMb }) => (memoryMb === null ? [] : [memoryMb]))
  return {
    name,
    wallSeconds: median(taken.map(({ wallSeconds }) => wallSeconds)),
    cpuSeconds: median(taken.map(({ cpuSeconds }) => cpuSeconds)),
    memoryMb: memory.length === 0 ? null : Math.max(...memory),
    files,
    megabytes: bytes / 1e6,
    htmlKilobytesOfPage: htmlBytes / 1000 / written,
  }
}

/** How many times what the peer took Octavo took: the median over the pairs. */
function ratioTo(name: string, own: readonly Taken[], others: readonly Taken[]) {
  const of = (key: 'wallSeconds' | 'cpuSeconds') =>
    Math.round(median(own.map((one, round) => one[key] / (others[round]?.[key] ?? Number.NaN))) * 100) / 100
  return { against: name, wall: of('wallSeconds'), processor: of('cpuSeconds') }
}

/** Of the time that the processes which render bodies take, in hundredths. */
async function stageShares(site: string): Promise<Record<string, number>> {
  let totals: Record<string, number> = {}
  const log: Log = {
    ...silentLog,
    debug: (fields, event) => {
      if (event === 'render.bodies_done') totals = { ...(fields as Record<string, number>) }
    },
  }
  const signal = new AbortController().signal
  const out = join(folder, 'shares')
  await buildFolder({ folder: site, out, deployment: 'client-hosted', log, report: () => {}, signal })
  const { pages: _, ...stages } = totals
  const sum = Object.values(stages).reduce((all, one) => all + one, 0)
  return Object.fromEntries(
    Object.entries(stages).map(([stage, one]) => [stage, Math.round((one / sum) * 100)]),
  )
}

function keep(result: object): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const commit =
    git('rev-parse', '--short=10', 'HEAD') + (git('status', '--porcelain', 'src') ? ' and changes' : '')
  appendFileSync(join(import.meta.dirname, 'results.jsonl'), `${JSON.stringify({ commit, ...result })}\n`)
}

function rounded(figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? oneDecimal(value) : value,
  ])
  return Object.fromEntries(entries) as unknown as Figures
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
