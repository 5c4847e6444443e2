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
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { cacheResultFor } from '../base/async-cache.ts'
import type { Database } from '../database/database.ts'
import type { Model } from '../model/model.ts'
import type { CheckedStore } from '../objects/checked-store.ts'
import type { JobEnd } from '../queue/job-handler.ts'
import type { JobName } from '../queue/job-settings.ts'
import type { QueueState } from '../queue/job-table.ts'
import { addGauges, type InstallationState, type Series, watchInstallation } from './installation-metrics.ts'
import { PROGRAM_VERSION } from './version.ts'

/** Metrics as plain JSON, sent from one process to another. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[]

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
  backupSeen(at: Date): void
  analyticsBatchFailed(): void
  measureModel(model: Model): Model
  measureStore(objects: CheckedStore): CheckedStore
  watchDatabase(database: Database): void
  watchDisk(folder: string): void
  /** `read` is called on a scrape, but at most once every few seconds. */
  watchQueue(read: () => Promise<readonly QueueState[]>): void
  /** `read` is called on a scrape, but at most once a minute. */
  watchInstallation(read: () => Promise<InstallationState>): void
  snapshot(): Promise<MetricsSnapshot>
}

/** From 5 ms to a minute: from the response time of a page to the usual timeout of clients. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** From a second to the six hours that a job may run. */
const JOB_BUCKETS = [1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 21_600]
const QUEUE_CACHE_MS = 5000
const INSTALLATION_CACHE_MS = 60_000

export function createMetrics(process: 'server' | 'worker'): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const { requests, jobs, stages } = createHistograms(registry)
  const { tokens, answers, objectCalls, setAside } = createCounters(registry)
  const loops = new Map<LoopName, number>()
  let backupAt: number | null = null
  addGauges(registry, [
    {
      name: 'octavo_loop_age_seconds',
      help: 'Time since a background loop last completed.',
      labels: ['loop'],
      read: () => [...loops].map(([loop, at]) => [{ loop }, (performance.now() - at) / 1000]),
    },
    {
      name: 'octavo_backup_age_seconds',
      help: 'Time since the newest backup, if this process makes regular backups.',
      read: () => (backupAt === null ? [] : [[{}, (Date.now() - backupAt) / 1000]]),
    },
    {
      name: 'octavo_build_info',
      help: 'Always 1; the label is the version of the program.',
      labels: ['version'],
      read: () => [[{ version: PROGRAM_VERSION }, 1]],
    },
  ])

  return {
    answered: (route, status, seconds) => requests.observe({ route, status }, seconds),
    jobEnded: (job, end, seconds) => jobs.observe({ job, end }, seconds),
    stageEnded: (job, stage, seconds) => stages.observe({ job, stage }, seconds),
    loopCompleted: (loop) => void loops.set(loop, performance.now()),
    backupSeen(at) {
      backupAt = at.getTime()
    },
    analyticsBatchFailed: () => setAside.inc(),
    measureModel: (model) => measureModel(model, tokens, answers),
    measureStore(objects) {
      observeDamagedObjects(registry, objects)
      return measureStore(objects, objectCalls)
    },
    watchDatabase: (database) => watchDatabase(registry, database),
    watchDisk: (folder) => watchDisk(registry, folder),
    watchQueue: (read) => watchQueue(registry, cacheResultFor(QUEUE_CACHE_MS, read)),
    watchInstallation: (read) => watchInstallation(registry, cacheResultFor(INSTALLATION_CACHE_MS, read)),
    snapshot: async () => (await registry.getMetricsAsJSON()) as MetricsSnapshot,
  }
}

function createHistograms(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Histogram({
      name: 'octavo_http_request_duration_seconds',
      help: 'Completed requests by route and status.',
      labelNames: ['route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    jobs: new Histogram({
      name: 'octavo_job_duration_seconds',
      help: 'Finished attempts of background jobs by kind and outcome.',
      labelNames: ['job', 'end'],
      buckets: JOB_BUCKETS,
      registers,
    }),
    stages: new Histogram({
      name: 'octavo_job_stage_duration_seconds',
      help: 'Completed stages of background jobs.',
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
      help: 'Input and output tokens of models.',
      labelNames: ['model', 'kind'],
      registers,
    }),
    answers: new Counter({
      name: 'octavo_model_answers_total',
      help: 'Model responses by outcome.',
      labelNames: ['model', 'end'],
      registers,
    }),
    objectCalls: new Counter({
      name: 'octavo_object_calls_total',
      help: 'Calls to the object store by outcome.',
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

export async function renderMetrics(
  snapshot: readonly MetricsSnapshot[],
): Promise<{ contentType: string; text: string }> {
  const merged = AggregatorRegistry.aggregate([...snapshot])
  return { contentType: merged.contentType, text: await merged.metrics() }
}

function observeDamagedObjects(registry: Registry, objects: CheckedStore): void {
  new Counter({
    name: 'octavo_objects_damaged_total',
    help: 'Objects that did not match their hash and were discarded.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, count] of Object.entries(objects.damaged())) this.inc({ kind }, count)
    },
  })
}

function watchDatabase(registry: Registry, { pool }: Database): void {
  addGauges(registry, [
    {
      name: 'octavo_database_connections',
      help: 'Connections of the pool by state, and callers waiting for one.',
      labels: ['state'],
      read: () => [
        [{ state: 'busy' }, pool.totalCount - pool.idleCount],
        [{ state: 'idle' }, pool.idleCount],
        [{ state: 'awaited' }, pool.waitingCount],
      ],
    },
  ])
}

function watchDisk(registry: Registry, folder: string): void {
  addGauges(registry, [
    {
      name: 'octavo_disk_bytes',
      help: 'Space on the disk of the data folder.',
      labels: ['state'],
      async read() {
        const { bavail, blocks, bsize } = await statfs(folder)
        return [
          [{ state: 'free' }, bavail * bsize],
          [{ state: 'total' }, blocks * bsize],
        ]
      },
    },
  ])
}

function watchQueue(registry: Registry, read: () => Promise<readonly QueueState[]>): void {
  addGauges(registry, [
    {
      name: 'octavo_queue_jobs',
      help: 'Background jobs by kind and state.',
      labels: ['job', 'state'],
      read: async () =>
        (await read()).flatMap(({ job, queued, running }): Series[] => [
          [{ job, state: 'queued' }, queued],
          [{ job, state: 'running' }, running],
        ]),
    },
    {
      name: 'octavo_queue_oldest_seconds',
      help: 'How long the oldest waiting job has been waiting, by kind.',
      labels: ['job'],
      read: async () => (await read()).map(({ job, oldestSeconds }) => [{ job }, oldestSeconds]),
    },
  ])
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
