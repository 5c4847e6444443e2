/** `octavo build`: renders a folder to files, without a server. */

import { readFile } from 'node:fs/promises'
import { cacheFolder } from '../../../app/operator/caller.ts'
import { BUNDLED } from '../../../base/api/features.ts'
import { disableHeapPool } from '../../../base/heap-pool.ts'
import { type BundleSigner, createSigner } from '../../../features/export/archive/signature.ts'
import { buildFolder } from '../../../features/export/build-folder.ts'
import type { RenderProgress } from '../../../render/plan/render-scope.ts'
import { siteOrigin } from '../../../site/site-origin.ts'
import { type Command, UsageError } from '../../command.ts'
import {
  DEPLOYMENT_FLAG,
  GROUPS_FLAG,
  readDeployment,
  readGroups,
  SEARCH_FLAG,
} from '../../deployment-flag.ts'
import { NO_CACHE_FLAG } from '../../no-cache-flag.ts'
import { countProblems, formatProblemLines, sortProblems } from '../../problem-lines.ts'
import { countBar, createProgressLine } from '../../progress-line.ts'
import { createStopSignal, StoppedError } from '../../stop-signal.ts'

export const build: Command = {
  name: 'build',
  summary: 'Render a folder of docs.json and MDX to a folder of files.',
  worksOn: 'site',
  positionals: ['folder'],
  flags: {
    out: {
      value: 'folder',
      help: 'Where the files go; replaced when an earlier build made it.',
      isRequired: true,
    },
    deployment: DEPLOYMENT_FLAG,
    url: {
      value: 'address',
      help: 'Where the pages will be read: for the sitemap, feeds and previews of links.',
    },
    search: SEARCH_FLAG,
    groups: GROUPS_FLAG,
    sign: {
      value: 'file',
      help: 'Ed25519 private key (PEM) to sign the manifest with; octavo verify --key proves it.',
    },
    'no-cache': NO_CACHE_FLAG,
  },
  async run({ positionals, flag, has, print }) {
    const deployment = readDeployment(flag('deployment'))
    const origin = readOrigin(flag('url'))
    disableHeapPool()
    const line = createProgressLine()
    line.update('Reading the folder …')
    const signal = createStopSignal(new StoppedError('Stopped; what was in the folder is still there.'))
    const built = await buildFolder({
      folder: positionals[0] as string,
      out: flag('out') as string,
      deployment,
      audience: readGroups(flag('groups')),
      ...(origin === null ? {} : { origin }),
      ...(await loadSigner(flag('sign'))),
      features: has('search') ? { search: BUNDLED } : {},
      cacheFolder: has('no-cache') ? undefined : cacheFolder(),
      report: (progress) => line.update(() => progressText(progress)),
      signal,
    }).finally(() => line.end())
    const problems = sortProblems(built.problems)
    print.result({ ...built, problems }, [
      ...formatProblemLines(problems),
      `${built.pages} pages, ${built.files} files, ${(built.bytes / 1e6).toFixed(1)} MB in ${built.seconds.toFixed(2)} s; ${countProblems(problems)}.`,
    ])
    return 0
  },
}

/** Describes the progress: pages are first rendered one by one, then written with the shared layout. */
function progressText({ pagesDone, pagesTotal, pagesLaidOut }: RenderProgress): string {
  return pagesDone < pagesTotal
    ? countBar(pagesDone, pagesTotal, 'pages rendered')
    : countBar(pagesLaidOut, pagesTotal, 'pages written')
}

async function loadSigner(file: string | undefined): Promise<{ signer?: BundleSigner }> {
  if (file === undefined) return {}
  try {
    return { signer: createSigner(await readFile(file, 'utf8')) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(`--sign ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}.`)
  }
}

function readOrigin(given: string | undefined): string | null {
  if (given === undefined) return null
  const origin = siteOrigin(given)
  if (origin === null) throw new UsageError('--url must be an address such as https://docs.example.com.')
  return origin
}
