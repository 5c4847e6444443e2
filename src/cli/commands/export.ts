/** `octavo export`: exports through the API, from the start to the verified archive. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import { BUNDLED } from '../../base/api/features.ts'
import { splitList } from '../../base/text/split-list.ts'
import { ApiError } from '../../client/call.ts'
import type { OctavoClient } from '../../client/client.ts'
import { download } from '../../client/download-bundle.ts'
import { verifyArchive } from '../../features/export/archive/verify-archive.ts'
import type { ExportJob, StartExportBody } from '../../features/export/operations/static-export.ts'
import { CLIENT_FLAGS, openApi } from '../api-client.ts'
import type { Command } from '../command.ts'
import { GROUPS_FLAG, SEARCH_FLAG } from '../deployment-flag.ts'
import { checkOutputFile, writeOutputFile } from '../output-file.ts'
import { bar, createProgressLine } from '../progress-line.ts'
import { formatExportProgress } from '../work-bars.ts'

const POLL_MS = 500

export const exportSite: Command = {
  name: 'export',
  summary: 'Export a site through the API, download the archive and verify every hash.',
  worksOn: 'api',
  flags: {
    domain: {
      value: 'domain or id',
      help: "Site: a domain of its project, or the project's ID.",
      isRequired: true,
    },
    out: { value: 'file', help: 'Output file of the archive, for example site.tar.gz.', isRequired: true },
    deployment: { value: 'kind', help: "client-hosted or air-gapped. Default: the project's setting." },
    search: SEARCH_FLAG,
    groups: GROUPS_FLAG,
    label: { value: 'text', help: 'Your own label for the export.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, has, print }) {
    const out = flag('out') as string
    await checkOutputFile(out)
    const { client, project } = await openApi(flag, flag('domain') as string, 'domain')
    const started = await client.startExport(toExportRequest(flag, has, project.domain), {
      idempotencyKey: crypto.randomUUID(),
    })
    const job = await follow(client, started)
    if (job.status !== 'completed') {
      print.result(job, [])
      print.note(`The export failed: ${job.error}`)
      return 1
    }
    const bundle = await client.generateBundle(job.jobId)
    const sha256 = await fetchTo(out, bundle.bundleUrl, bundle.sizeBytes)
    if (sha256 !== bundle.sha256) throw new Error(`The archive has the hash ${sha256}, not ${bundle.sha256}.`)
    const files = await verifyArchive(createReadStream(out))
    print.result({ ...bundle, out, files, pageCount: job.pageCount, warningCount: job.warningCount }, [
      `${out}: ${job.pageCount} pages, ${files} files verified, ${(bundle.sizeBytes / 1e6).toFixed(1)} MB`,
      `sha256 ${sha256}`,
      ...(job.warningCount > 0
        ? [
            `${job.warningCount} problems in the content. List them: ${resolveProgramCommand()} check <folder of the site>`,
          ]
        : []),
    ])
    return 0
  },
}

function toExportRequest(
  flag: (name: string) => string | undefined,
  has: (name: string) => boolean,
  domain: string,
): StartExportBody {
  const deployment = flag('deployment')
  const version = flag('label')
  const groups = splitList(flag('groups'))
  return {
    domain,
    ...(deployment === undefined ? {} : { deployment: deployment as 'client-hosted' | 'air-gapped' }),
    ...(has('search') ? { features: { search: BUNDLED } } : {}),
    ...(groups.length === 0 ? {} : { groups }),
    ...(version === undefined ? {} : { version }),
  }
}

async function follow(client: OctavoClient, started: ExportJob): Promise<ExportJob> {
  const line = createProgressLine()
  let job = started
  while (job.status === 'queued' || job.status === 'running') {
    line.update(formatExportProgress(job))
    await sleep(POLL_MS)
    job = await client.getExport(job.jobId).catch((error) => waitOrThrow(error, job))
  }
  line.end()
  return job
}

/** Waits if a rate limit was reached; throws any other error. */
async function waitOrThrow(error: unknown, job: ExportJob): Promise<ExportJob> {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === null) throw error
  await sleep(error.retryAfterSeconds * 1000)
  return job
}

async function fetchTo(out: string, url: string, sizeBytes: number): Promise<string> {
  const line = createProgressLine()
  const hash = createHash('sha256')
  let received = 0
  async function* counted() {
    for await (const chunk of download(url)) {
      hash.update(chunk)
      received += chunk.byteLength
      line.update(`${bar((received / sizeBytes) * 100)}  downloading`)
      yield chunk
    }
  }
  await writeOutputFile(out, counted()).finally(() => line.end())
  return hash.digest('hex')
}
