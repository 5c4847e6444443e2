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
import { JOBS } from '../../src/queue/job-settings.ts'
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
  return `${BASE[name]} s, plus ${ofFile} s per file and ${decimal(OF_TEXT[name] - BASE[name])} s per MB of text`
}

/** Formats a number with at most 6 decimals, to hide rounding errors of divisions. */
function decimal(value: number): string {
  return String(Number(value.toFixed(6)))
}

const megabytes = (bytes: number) => `${decimal(bytes / 2 ** 20)} MB`
const minutes = (seconds: number) => `${decimal(seconds / 60)} minutes`

export function siteBounds(): string {
  return table(
    ['Limit of a site process', 'Maximum'],
    [
      ['Memory', `\`OCTAVO_SITE_MEMORY_MB\`, ${SITE_MEMORY_MB} by default`],
      ['Total CPU time', growing('cpuSeconds')],
      ['CPU time without progress', growing('silentCpuSeconds')],
      ['Elapsed time without progress', minutes(BASE.silentWallSeconds)],
      ['Log lines', String(MAX_LOG_LINES)],
      ['Unread results', megabytes(MAX_UNREAD_BYTES)],
    ],
  )
}

export function readBounds(): string {
  return table(
    ['Input', 'Limit', 'Beyond the limit'],
    [
      [
        'List of the files and redirects of a version',
        megabytes(MAX_MANIFEST_BYTES),
        'The site is not published, and the error gives the reason',
      ],
      [
        'Page or list of pages, on the dashboard',
        megabytes(PAGE_BYTES),
        'The dashboard does not show the text or the titles',
      ],
      [
        'Code blocks of a page, for code notes in feedback',
        `${megabytes(MAX_CHARACTERS)} of the page, ${MAX_BLOCKS} blocks`,
        'The rest is ignored',
      ],
      [
        'Excerpt of the source file around a problem',
        `${megabytes(SOURCE_FILE_BYTES)}, ${2 * CONTEXT_LINES + 1} lines, ${MAX_LINE_CHARACTERS} characters per line`,
        'Larger files are not shown; longer lines are cut',
      ],
      [
        'Problems of a site',
        `${MAX_SITE_PROBLEMS}, ${MAX_SENTENCE_CHARACTERS} characters per message`,
        'Further problems are only counted; longer messages are cut',
      ],
      [
        'Changed file of an agent job, on the review page',
        `${megabytes(CHANGED_FILE_BYTES)} per file, ${megabytes(CHANGE_BYTES)} per change`,
        'A message is shown instead of the file',
      ],
      [
        'Request body, including the page and text of feedback',
        megabytes(BODY_LIMIT_BYTES),
        'The request is rejected with `413`',
      ],
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
        'Serves the API, the dashboard and hosted sites, and owns the embedded database. It does not load or render sites.',
        'You.',
      ],
      [
        'Its worker',
        'Runs jobs, checks pull requests and domains, and sends webhooks. The node starts and restarts it, with increasing delays if it repeatedly ends soon after a start. With the role `worker`, it is a separate node; with the role `api`, there is no worker.',
        `${decimal(WORKER_MEMORY_BYTES / 2 ** 30)} GB of memory; ${WORKER_SILENCE_TIMEOUT_MS / 1000} seconds in which its event loop does not respond; the end of the node. Its CPU time is not limited, because it only reads file lists of limited length and passes on bytes, and a job ends after ${JOBS['deployment.publish'].deadlineSeconds / 3600} hours.`,
      ],
      [
        'One for each site that is being built, and one for the tools of each agent job',
        'Loads, scans and renders untrusted content, without environment variables, network access or access to files.',
        `\`OCTAVO_SITE_MEMORY_MB\`; ${silentCpuSeconds} seconds of CPU time without progress, ${cpuSeconds} in total, with higher limits for larger sites; ${minutes(silentWallSeconds)} without progress; the end of the worker.`,
      ],
      [
        'Its render processes',
        'Run the code of pages in an isolate.',
        `${decimal(RENDER_MEMORY_BYTES / 1e9)} GB of memory; a few seconds of CPU time for each page; the end of the site’s process.`,
      ],
    ],
  )
}
