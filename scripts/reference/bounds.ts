/** Tables of the bounds of processes, from the figures that the program goes by. */
import {
  LOG_LINES,
  RENDER_MEMORY,
  SITE_MEMORY_MB,
  siteLimits,
  WAITING_BYTES,
  WORKER_MEMORY,
} from '../../src/sandbox/limits.ts'
import { table } from './markdown.ts'

const BASE = siteLimits(0, 0, SITE_MEMORY_MB)
const FILES = 1000
const OF_FILES = siteLimits(FILES, 0, SITE_MEMORY_MB)
const OF_TEXT = siteLimits(0, 1e6, SITE_MEMORY_MB)

type Seconds = 'cpuSeconds' | 'silentCpuSeconds'

function growing(name: Seconds): string {
  const ofFile = decimal((OF_FILES[name] - BASE[name]) / FILES)
  return `${BASE[name]} s, and ${ofFile} s for each file and ${decimal(OF_TEXT[name] - BASE[name])} s for each MB of text`
}

/** As it is written, without the last places of a division. */
function decimal(value: number): string {
  return String(Number(value.toFixed(6)))
}

const minutes = (seconds: number) => `${decimal(seconds / 60)} minutes`

export function siteBounds(): string {
  return table(
    ['Bound of a site’s process', ''],
    [
      ['Memory', `\`OCTAVO_SITE_MEMORY_MB\`, ${SITE_MEMORY_MB} unless set`],
      ['Processor time in all', growing('cpuSeconds')],
      ['Processor time without a step forward', growing('silentCpuSeconds')],
      ['Time by the clock without a step forward', minutes(BASE.silentWallSeconds)],
      ['Lines of log', String(LOG_LINES)],
      ['Answers that wait to be read', `${decimal(WAITING_BYTES / 2 ** 20)} MB`],
    ],
  )
}

export function processes(): string {
  const { cpuSeconds, silentCpuSeconds, silentWallSeconds } = BASE
  return table(
    ['Process', 'What it does', 'What ends it'],
    [
      [
        'The node',
        'Answers the API, the dashboard and hosted sites, and owns the embedded database. It reads no site.',
        'You.',
      ],
      [
        'Its worker',
        'Takes jobs, watches pull requests and domains, sends webhooks. Started and restarted by the node, later and later when it dies soon. With the role `worker` it is a node of its own, with `api` there is none.',
        `${decimal(WORKER_MEMORY / 2 ** 30)} GB of memory; the end of the node.`,
      ],
      [
        'One for each site at work, and for the tools of each agent job',
        'Loads, scans and renders what others wrote, without environment, network or files.',
        `\`OCTAVO_SITE_MEMORY_MB\`; ${silentCpuSeconds} seconds of processor time without a step forward, ${cpuSeconds} in all, both more for larger sites; ${minutes(silentWallSeconds)} in which nothing happens; the end of the worker.`,
      ],
      [
        'Its render children',
        'Run the code of pages in an isolate.',
        `${decimal(RENDER_MEMORY / 1e9)} GB of memory; a few seconds of processor time for each page; the end of the site’s process.`,
      ],
    ],
  )
}
