/**
 * Metrics of a node in the Prometheus text format. All label values come from fixed sets in the program or from the
 * operator's settings, so that requests cannot create new or long ones.
 *
 * A node with a worker process receives the worker's metrics through a pipe and reports both in one response,
 * distinguished by the label `process`. Counters of a process start at zero when it restarts.
 */
import { statfs } from 'node:fs/promises'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Database } from '../database/database.ts'
import type { Model } from '../model/model.ts'
import type { CheckedStore } from '../objects/checked-store.ts'
import type { JobEnd } from '../queue/job-handler.ts'
import type { JobName } from '../queue/jobs.ts'
import type { QueueState } from '../queue/queue-state.ts'

/** Metrics as one process sends them to another: plain JSON. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[]

/** Background loops, each of which reports when it last completed. */
export const LOOP_NAMES = [
  'analytics',
  'automations',
  'clock',
  'domains',
  'housekeeping',
  'mails',
  'notifications',
  'previews',
  'pull_requests',
  'queue',
  'storage',
  'webhooks',
] as const
export type LoopName = (typeof LOOP_NAMES)[number]

export interface Metrics {
  answered(route: string, status: number, seconds: number): void
  jobEnded(job: JobName, end: JobEnd, seconds: number): void
  stageEnded(job: JobName, stage: string, seconds: number): void
  loopCompleted(loop: LoopName): void
  /** Counts a batch of web analytics that could not be processed. */
  analyticsBatchFailed(): void
  /** Wraps a model so that its responses are counted. */
  measureModel(model: Model): Model
  /** Wraps a store so that its calls are counted. */
  measureStore(objects: CheckedStore): CheckedStore
  watchDatabase(database: Database): void
  watchDisk(folder: string): void
  /** `read` is called on a scrape, but at most once every few seconds. */
  watchQueue(read: () => Promise<readonly QueueState[]>): void
  snapshot(): Promise<MetricsSnapshot>
}

/** From 5 ms to a minute: from the response time of a page to the usual timeout of clients. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** From a second to the six hours that a job may run. */
const JOB_BUCKETS = [1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 21_600]
const QUEUE_CACHE_MS = 5000

export function createMetrics(process: 'server' | 'worker'): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const { requests, jobs, stages } = createHistograms(registry)
  const { tokens, answers, objectCalls, setAside } = createCounters(registry)
  const loops = new Map<LoopName, number>()
  watchLoops(registry, loops)

  return {
    answered: (route, status, seconds) => requests.observe({ route, status }, seconds),
    jobEnded: (job, end, seconds) => jobs.observe({ job, end }, seconds),
    stageEnded: (job, stage, seconds) => stages.observe({ job, stage }, seconds),
    loopCompleted: (loop) => void loops.set(loop, performance.now()),
    analyticsBatchFailed: () => setAside.inc(),
    measureModel: (model) => measureModel(model, tokens, answers),
    measureStore(objects) {
      observeDamagedObjects(registry, objects)
      return measureStore(objects, objectCalls)
    },
    watchDatabase: (database) => watchDatabase(registry, database),
    watchDisk: (folder) => watchDisk(registry, folder),
    watchQueue: (read) => watchQueue(registry, cachedFor(QUEUE_CACHE_MS, read)),
    snapshot: async () => (await registry.getMetricsAsJSON()) as MetricsSnapshot,
  }
}

function createHistograms(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Histogram({
      name: 'octavo_http_request_duration_seconds',
      help: 'Answered requests by route and status.',
      labelNames: ['route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    jobs: new Histogram({
      name: 'octavo_job_duration_seconds',
      help: 'Ended attempts of background jobs by kind and end.',
      labelNames: ['job', 'end'],
      buckets: JOB_BUCKETS,
      registers,
    }),
    stages: new Histogram({
      name: 'octavo_job_stage_duration_seconds',
      help: 'Stages of background jobs that came to their end.',
      labelNames: ['job', 'stage'],
      buckets: JOB_BUCKETS,
      registers,
    }),
  }
}

function createCounters(registry: Registry) {
  const registers = [registry]
  return {
    tokens: new Counter({
      name: 'octavo_model_tokens_total',
      help: 'Tokens that models took and gave.',
      labelNames: ['model', 'kind'],
      registers,
    }),
    answers: new Counter({
      name: 'octavo_model_answers_total',
      help: 'Answers of models by end.',
      labelNames: ['model', 'end'],
      registers,
    }),
    objectCalls: new Counter({
      name: 'octavo_object_calls_total',
      help: 'Calls to the object store by end.',
      labelNames: ['call', 'end'],
      registers,
    }),
    setAside: new Counter({
      name: 'octavo_analytics_set_aside_total',
      help: 'Batches of page events that could not be counted.',
      registers,
    }),
  }
}

/** Returns the response to a scrape, for one or more processes. */
export async function renderScrape(
  snapshot: readonly MetricsSnapshot[],
): Promise<{ contentType: string; text: string }> {
  const merged = AggregatorRegistry.aggregate([...snapshot])
  return { contentType: merged.contentType, text: await merged.metrics() }
}

/** Reports the age of each loop. `loops` holds when each last completed, in milliseconds of this process. */
function watchLoops(registry: Registry, loops: ReadonlyMap<LoopName, number>): void {
  new Gauge({
    name: 'octavo_loop_age_seconds',
    help: 'Time since a background loop last came through.',
    labelNames: ['loop'],
    registers: [registry],
    collect() {
      for (const [loop, at] of loops) this.set({ loop }, (performance.now() - at) / 1000)
    },
  })
}

function observeDamagedObjects(registry: Registry, objects: CheckedStore): void {
  new Counter({
    name: 'octavo_objects_damaged_total',
    help: 'Objects that did not fit their name and were thrown away.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, count] of Object.entries(objects.damaged())) this.inc({ kind }, count)
    },
  })
}

function watchDatabase(registry: Registry, database: Database): void {
  new Gauge({
    name: 'octavo_database_connections',
    help: 'Connections of the pool by state, and callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool
      this.set({ state: 'busy' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'awaited' }, waitingCount)
    },
  })
}

function watchDisk(registry: Registry, folder: string): void {
  new Gauge({
    name: 'octavo_disk_bytes',
    help: 'The disk of the data folder.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const disk = await statfs(folder).catch(() => null)
      if (disk === null) return
      this.set({ state: 'free' }, disk.bavail * disk.bsize)
      this.set({ state: 'total' }, disk.blocks * disk.bsize)
    },
  })
}

function watchQueue(registry: Registry, read: () => Promise<readonly QueueState[]>): void {
  const registers = [registry]
  // Without the database, report no figure rather than an outdated one.
  const states = () => read().catch((): readonly QueueState[] => [])
  new Gauge({
    name: 'octavo_queue_jobs',
    help: 'Background jobs by kind and state.',
    labelNames: ['job', 'state'],
    registers,
    async collect() {
      const found = await states()
      this.reset()
      for (const { job, queued, running } of found) {
        this.set({ job, state: 'queued' }, queued)
        this.set({ job, state: 'running' }, running)
      }
    },
  })
  new Gauge({
    name: 'octavo_queue_oldest_seconds',
    help: 'How long the oldest waiting job has been waiting, by kind.',
    labelNames: ['job'],
    registers,
    async collect() {
      const found = await states()
      this.reset()
      for (const { job, oldestSeconds } of found) this.set({ job }, oldestSeconds)
    },
  })
}

function measureModel(model: Model, tokens: Counter, answers: Counter): Model {
  return {
    name: model.name,
    async answer(request, signal, onLine) {
      try {
        const answer = await model.answer(request, signal, onLine)
        answers.inc({ model: model.name, end: answer.finish })
        tokens.inc({ model: model.name, kind: 'input' }, answer.usage.inputTokens)
        tokens.inc({ model: model.name, kind: 'output' }, answer.usage.outputTokens)
        return answer
      } catch (error) {
        answers.inc({ model: model.name, end: signal.aborted ? 'aborted' : 'failed' })
        throw error
      }
    },
  }
}

function measureStore(objects: CheckedStore, calls: Counter): CheckedStore {
  const counted = async <Answer>(call: string, work: Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await work
      calls.inc({ call, end: 'ok' })
      return answer
    } catch (error) {
      const isMissing = (error as Error).name === 'ObjectMissingError'
      calls.inc({ call, end: isMissing ? 'missing' : 'failed' })
      throw error
    }
  }
  return {
    put: (key, body, options) => counted('put', objects.put(key, body, options)),
    head: (key) => counted('head', objects.head(key)),
    get: (key, range) => counted('get', objects.get(key, range)),
    read: (key) => counted('get', objects.read(key)),
    delete: (key) => counted('delete', objects.delete(key)),
    check: (key) => counted('check', objects.check(key)),
    damaged: () => objects.damaged(),
    list: (prefix) => objects.list(prefix),
    presign: (key, options) => counted('presign', objects.presign(key, options)),
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  }
}

/** Caches the result of `ask` for the given time; concurrent calls share one request. */
function cachedFor<Answer>(ms: number, load: () => Promise<Answer>): () => Promise<Answer> {
  let cached: { at: number; answer: Promise<Answer> } | null = null
  return () => {
    if (cached === null || performance.now() - cached.at > ms) {
      const loaded = { at: performance.now(), answer: load() }
      cached = loaded
      loaded.answer.catch(() => {
        if (cached === loaded) cached = null
      })
    }
    return cached.answer
  }
}
