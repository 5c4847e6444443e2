/**
 * Simulates the worker queue for a number of organizations, from the figures in RESULTS.md of the other benchmarks, and
 * sums up the load on API nodes and the database in the busiest hour. The same seed produces the same table.
 *
 *   node bench/capacity.ts [organizations=10,1000,100000] [seed=1]
 */
const [counts = '10,1000,100000', seed = '1'] = process.argv.slice(2)

/** Daily averages per organization. A quarter of each falls into the busiest hour. */
const PER_DAY = {
  pageReads: 3000,
  viewBatches: 500,
  votes: 20,
  apiReads: 200,
  pushes: 6,
  exports: 0.5,
  agentJobs: 2,
}
const BUSIEST_HOUR = 0.25
/** CPU seconds per item, on the API node and in the database. */
const API_COST = { pageReads: 20e-6, viewBatches: 0.3e-3, votes: 1e-3, apiReads: 0.8e-3 }
const DATABASE_COST = { viewBatches: 0.5e-3, votes: 1e-3, apiReads: 0.4e-3, pushes: 0.02, agentJobs: 0.1 }
/** CPU seconds per job: a fixed part and a part per page of the site. */
const JOB_COST = {
  pushes: { fixed: 0.4, perPage: 0.3e-3 },
  exports: { fixed: 0.6, perPage: 1.2e-3 },
  agentJobs: { fixed: 0.36, perPage: 0 },
}
/** Pages per site, log-normally distributed: one site in twenty has more than ten times the median. */
const MEDIAN_PAGES = 80
const SPREAD = 1.4
/** Target for the 95th percentile of the time that jobs wait, in seconds. */
const LONGEST_WAIT = 10
const HOUR = 3600

type JobKind = keyof typeof JOB_COST

const random = createRandom(Number(seed))
const rows = counts.split(',').map((count) => simulate(Number(count)))
console.table(Object.fromEntries(rows.map(({ organizations, ...row }) => [organizations, row])))

function simulate(organizations: number) {
  const inHour = (kind: keyof typeof PER_DAY) => organizations * PER_DAY[kind] * BUSIEST_HOUR
  const cores = (costs: Partial<Record<keyof typeof PER_DAY, number>>) =>
    Object.entries(costs).reduce((sum, [kind, cost]) => sum + (inHour(kind as JobKind) * cost) / HOUR, 0)
  const jobs = (Object.keys(JOB_COST) as JobKind[]).flatMap((kind) => arrivals(inHour(kind), kind))
  jobs.sort((one, other) => one.at - other.at)
  let workerCores = 1
  while (waitOf95(jobs, workerCores) > LONGEST_WAIT) workerCores = Math.ceil(workerCores * 1.1)
  const writes = (inHour('viewBatches') + inHour('votes')) / HOUR
  return {
    organizations,
    'page reads/s': Math.ceil(inHour('pageReads') / HOUR),
    'API cores': round(cores(API_COST)),
    'writes/s': Math.ceil(writes),
    'database cores': round(cores(DATABASE_COST)),
    'jobs/h': jobs.length,
    'worker cores': workerCores,
    'wait p50 s': round(quantile(waits(jobs, workerCores), 0.5)),
    'wait p95 s': round(waitOf95(jobs, workerCores)),
  }
}

interface Job {
  /** Arrival, in seconds from the start of the hour. */
  at: number
  /** CPU seconds. */
  cost: number
}

function arrivals(count: number, kind: JobKind): Job[] {
  const { fixed, perPage } = JOB_COST[kind]
  const whole = Math.floor(count) + (random() < count % 1 ? 1 : 0)
  return Array.from({ length: whole }, () => {
    const pages = MEDIAN_PAGES * Math.exp(SPREAD * normal())
    return { at: random() * HOUR, cost: fixed + perPage * pages }
  })
}

/** Returns the seconds that each job waits if each core runs one job at a time, first come, first served. */
function waits(jobs: readonly Job[], cores: number): number[] {
  const free = new Array<number>(cores).fill(0)
  return jobs.map(({ at, cost }) => {
    const start = Math.max(at, free[0] as number)
    pushDown(free, start + cost)
    return start - at
  })
}

/** Replaces the smallest element of a heap. */
function pushDown(heap: number[], value: number): void {
  let index = 0
  for (;;) {
    const left = 2 * index + 1
    const least = (heap[left + 1] ?? Infinity) < (heap[left] ?? Infinity) ? left + 1 : left
    if ((heap[least] ?? Infinity) >= value) break
    heap[index] = heap[least] as number
    index = least
  }
  heap[index] = value
}

function waitOf95(jobs: readonly Job[], cores: number): number {
  return quantile(waits(jobs, cores), 0.95)
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Mulberry32. */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function round(value: number): number {
  return Math.ceil(value * 100) / 100
}
