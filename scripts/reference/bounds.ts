/** Generates the tables of limits from the constants of the program. */
import { MAX_FILE_BYTES as CHANGED_FILE_BYTES } from '../../src/features/agent/edit/change-files.ts'
import { MAX_CHANGE_BYTES as CHANGE_BYTES } from '../../src/features/agent/review/review-texts.ts'
import {
  MAX_SENTENCE_CHARACTERS,
  MAX_SITE_PROBLEMS,
} from '../../src/features/hosting/deploy/site-problems.ts'
import { MAX_BLOCKS, MAX_CHARACTERS } from '../../src/features/hosting/serve/code-blocks.ts'
import { MAX_BYTES as PAGE_BYTES } from '../../src/features/hosting/serve/page-library.ts'
import {
  CONTEXT_LINES,
  MAX_LINE_CHARACTERS,
  MAX_FILE_BYTES as SOURCE_FILE_BYTES,
} from '../../src/git/source-lines.ts'
import { JOBS } from '../../src/queue/jobs.ts'
import { MAX_MANIFEST_BYTES } from '../../src/render/versions/site-versions.ts'
import { BODY_LIMIT_BYTES } from '../../src/routing/request-body.ts'
import {
  MAX_LOG_LINES,
  MAX_UNREAD_BYTES,
  RENDER_MEMORY_BYTES,
  SITE_MEMORY_MB,
  siteLimits,
  WORKER_MEMORY_BYTES,
  WORKER_SILENCE_TIMEOUT_MS,
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

/** Formats a number with at most 6 decimals, to hide rounding errors of divisions. */
function decimal(value: number): string {
  return String(Number(value.toFixed(6)))
}

const megabytes = (bytes: number) => `${decimal(bytes / 2 ** 20)} MB`
const minutes = (seconds: number) => `${decimal(seconds / 60)} minutes`

export function siteBounds(): string {
  return table(
    ['Bound of a site’s process', 'At most'],
    [
      ['Memory', `\`OCTAVO_SITE_MEMORY_MB\`, ${SITE_MEMORY_MB} unless set`],
      ['Processor time in all', growing('cpuSeconds')],
      ['Processor time without a step forward', growing('silentCpuSeconds')],
      ['Time by the clock without a step forward', minutes(BASE.silentWallSeconds)],
      ['Lines of log', String(MAX_LOG_LINES)],
      ['Answers that wait to be read', megabytes(MAX_UNREAD_BYTES)],
    ],
  )
}

export function readBounds(): string {
  return table(
    ['What it reads', 'At most', 'Above it'],
    [
      [
        'List of a version’s files and redirects',
        megabytes(MAX_MANIFEST_BYTES),
        'The site is not published, and its owner is told why',
      ],
      ['Page, or list of pages, for the dashboard', megabytes(PAGE_BYTES), 'It has no text or titles there'],
      [
        'Code blocks of a page that feedback is about',
        `${megabytes(MAX_CHARACTERS)} of the page, ${MAX_BLOCKS} blocks`,
        'The rest is not looked at',
      ],
      [
        'Source file around a problem',
        `${megabytes(SOURCE_FILE_BYTES)}, ${2 * CONTEXT_LINES + 1} lines, ${MAX_LINE_CHARACTERS} characters of each`,
        'It is not shown',
      ],
      [
        'Problems of a site',
        `${MAX_SITE_PROBLEMS}, ${MAX_SENTENCE_CHARACTERS} characters for a sentence`,
        'The rest is counted',
      ],
      [
        'File of an agent’s change, on the review page',
        `${megabytes(CHANGED_FILE_BYTES)} for a file, ${megabytes(CHANGE_BYTES)} for a change`,
        'A sentence stands in its place',
      ],
      ['Body of a request, with the page and words of feedback', megabytes(BODY_LIMIT_BYTES), '413'],
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
        `${decimal(WORKER_MEMORY_BYTES / 2 ** 30)} GB of memory; ${WORKER_SILENCE_TIMEOUT_MS / 1000} seconds in which its event loop stands still; the end of the node. Its processor time has no bound of its own: it reads lists of files, which are counted, and passes bytes on, and a job ends after ${JOBS['deployment.publish'].deadlineSeconds / 3600} hours.`,
      ],
      [
        'One for each site at work, and for the tools of each agent job',
        'Loads, scans and renders what others wrote, without environment, network or files.',
        `\`OCTAVO_SITE_MEMORY_MB\`; ${silentCpuSeconds} seconds of processor time without a step forward, ${cpuSeconds} in all, both more for larger sites; ${minutes(silentWallSeconds)} in which nothing happens; the end of the worker.`,
      ],
      [
        'Its render children',
        'Run the code of pages in an isolate.',
        `${decimal(RENDER_MEMORY_BYTES / 1e9)} GB of memory; a few seconds of processor time for each page; the end of the site’s process.`,
      ],
    ],
  )
}
