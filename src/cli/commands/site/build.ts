/** `octavo build`: renders a folder to files, without a server. */

import { readFile } from 'node:fs/promises'
import { readSampleRunner } from '../../../app/config/config.ts'
import { cacheFolder } from '../../../app/operator/caller.ts'
import { BUNDLED } from '../../../base/api/features.ts'
import { disableHeapPool } from '../../../base/heap-pool.ts'
import { splitList } from '../../../base/text/split-list.ts'
import { type BundleSigner, createSigner } from '../../../features/export/archive/signature.ts'
import { buildFolder } from '../../../features/export/build-folder.ts'
import type { RenderProgress } from '../../../render/plan/render-scope.ts'
import { siteOrigin } from '../../../site/site-origin.ts'
import { type Command, UsageError } from '../../command.ts'
import {
  DEPLOYMENT_FLAG,
  GROUPS_FLAG,
  NO_CACHE_FLAG,
  readDeployment,
  SEARCH_FLAG,
} from '../../deployment-flag.ts'
import { countProblems, formatProblemLines, sortProblems } from '../../problem-lines.ts'
import { createProgressLine, formatCountBar } from '../../progress-line.ts'
import { createStopSignal, StoppedError } from '../../stop-signal.ts'

export const build: Command = {
  name: 'build',
  summary: 'Render a folder with docs.json and MDX files to an output folder.',
  worksOn: 'site',
  positionals: ['folder'],
  flags: {
    out: {
      value: 'folder',
      help: 'Output folder; replaced if an earlier build created it.',
      isRequired: true,
    },
    deployment: DEPLOYMENT_FLAG,
    url: {
      value: 'address',
      help: 'Public URL of the site, for the sitemap, feeds and link previews.',
    },
    search: SEARCH_FLAG,
    groups: GROUPS_FLAG,
    sign: {
      value: 'file',
      help: 'Ed25519 private key (PEM) to sign the manifest with. Verify the signature with octavo verify --key.',
    },
    'no-cache': NO_CACHE_FLAG,
  },
  async run({ positionals, flag, has, print }) {
    const deployment = readDeployment(flag('deployment'))
    const origin = readOrigin(flag('url'))
    disableHeapPool()
    const line = createProgressLine()
    line.update('Reading the folder …')
    const signal = createStopSignal(new StoppedError('Stopped. The folder was not changed.'))
    const built = await buildFolder({
      folder: positionals[0] as string,
      out: flag('out') as string,
      deployment,
      audience: splitList(flag('groups')),
      ...(origin === null ? {} : { origin }),
      ...(await loadSigner(flag('sign'))),
      features: has('search') ? { search: BUNDLED } : {},
      cacheFolder: has('no-cache') ? undefined : cacheFolder(),
      sampleRunner: readSampleRunner(),
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

function progressText({ pagesDone, pagesTotal, pagesLaidOut }: RenderProgress): string {
  return pagesDone < pagesTotal
    ? formatCountBar(pagesDone, pagesTotal, 'pages rendered')
    : formatCountBar(pagesLaidOut, pagesTotal, 'pages written')
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
  if (origin === null) throw new UsageError('--url must be a URL such as https://docs.example.com.')
  return origin
}
