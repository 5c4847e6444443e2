/** `octavo start`: a node, and on the first start of a data folder the sample site, published and exported once. */
import { mainDomain } from '../../app/administration.ts'
import { type Config, forgetSecrets, loadConfig, takeDotEnv } from '../../app/config.ts'
import { OPTIONS } from '../../app/config-options.ts'
import type { Context } from '../../app/context.ts'
import { startNode } from '../../app/node.ts'
import type { Option } from '../../app/option.ts'
import { programCall } from '../../app/program-call.ts'
import { announceServer } from '../../app/running-servers.ts'
import {
  ensureOrganization,
  ensureSampleProject,
  isPublished,
  publishSample,
  siteAddress,
} from '../../app/sample-site.ts'
import { setupLink } from '../../app/sign-in.ts'
import { createLog, logOwnFaults } from '../../base/log.ts'
import { createClient } from '../../client/client.ts'
import type { ExportBundle } from '../../contract/static-export.ts'
import type { Command, CommandInput, Flag } from '../command.ts'
import { countBar, createProgressLine } from '../progress-line.ts'
import { createStopSignal, stopInTime, whenAborted } from '../stop-signal.ts'

export const start: Command = {
  name: 'start',
  summary: 'Run a node: API, hosted sites and background jobs.',
  worksOn: 'node',
  flags: {
    ...optionFlags(),
    'no-sample': { help: 'Start empty: no organization, key or sample site.' },
  },
  async run(given) {
    const input = { ...given, print: { ...given.print, note: tell(given) } }
    tellDotEnv(input)
    const { config, secrets } = loadConfig(givenFlags(input))
    forgetSecrets()
    if (!process.stderr.isTTY) logOwnFaults(createLog(config.logLevel))
    const node = await startNode(quiet(config, input), secrets, { hasWorkerProcess: true })
    const stopping = createStopSignal()
    try {
      await using _announced = await announce(node.context)
      const ready = config.role === 'worker' ? null : await welcome(node.context, input)
      if (ready !== null) prepareDashboard(node.context)
      if (input.print.isJson && ready) input.print.result(ready, [])
      await whenAborted(stopping)
      input.print.note('Stopping …')
    } finally {
      await stopInTime(node.stop(), () =>
        input.print.note('Stopping took too long: what was at work goes on at the next start.'),
      )
    }
    return 0
  },
}

/** Where no person looks on, remarks are lines of the log like all else, whatever its level. */
function tell({ print }: CommandInput): (line: string) => void {
  if (process.stderr.isTTY) return print.note
  const log = createLog('info')
  return (text) => log.info({ text }, 'start.told')
}

/** A file that lies in the folder by chance is seen before it does harm. */
function tellDotEnv({ print }: CommandInput): void {
  const dotEnv = takeDotEnv(process.cwd())
  if (dotEnv === null) return
  const { file, taken, unknown } = dotEnv
  if (taken.length > 0) print.note(`Settings of ${file}: ${taken.join(', ')}`)
  if (unknown.length > 0) print.note(`${file} has names that are no settings: ${unknown.join(', ')}`)
}

/** A worker has no address that a command could use. */
async function announce(context: Context): Promise<AsyncDisposable | null> {
  if (context.config.role === 'worker') return null
  return await announceServer(context.config, { port: context.port(), publicUrl: context.publicUrl() })
}

interface Ready {
  url: string
  organizationId: string | null
  projectId: string | null
  domain: string | null
  adminKey: string | null
  /** Where the first owner is made, with a link of this start; null when there is one. */
  setupUrl: string | null
}

async function welcome(context: Context, { has, print }: CommandInput): Promise<Ready> {
  const url = context.publicUrl()
  const setupUrl = await setupLink(context)
  if (has('no-sample')) {
    print.note(`Octavo is running at ${url}`)
    if (setupUrl !== null) print.note(`Make the first owner: ${setupUrl}`)
    return { url, organizationId: null, projectId: null, domain: null, adminKey: null, setupUrl }
  }
  const { organizationId, adminKey } = await ensureOrganization(context)
  const { project } = await ensureSampleProject(context, organizationId)
  const domain = mainDomain(project)
  if (!(await isPublished(context, project))) {
    print.note('Publishing the sample site …')
    const line = createProgressLine()
    const deployment = await publishSample(context, project, (state) =>
      line.update(countBar(state.pageCount, state.totalPages, 'pages')),
    ).finally(() => line.end())
    if (deployment.status === 'failed') print.note(`The sample site was not published: ${deployment.error}`)
  }
  if (!print.isJson)
    print.result(null, greeting({ url, site: siteAddress(context, domain), domain, adminKey, setupUrl }))
  if (adminKey !== null) {
    const bundle = await exportOnce(url, adminKey, domain).catch((error: Error) => error)
    if (!print.isJson) print.result(null, bundleLines(bundle))
  }
  return { url, organizationId, projectId: project.id, domain, adminKey, setupUrl }
}

/** After all else of a start; whoever opens the dashboard before it is there waits for it. */
function prepareDashboard(context: Context): void {
  context.dashboardFolder().catch((error: Error) => {
    context.log.error({ error: error.message }, 'dashboard.not_built')
  })
}

/** Through the API, as any caller would. */
async function exportOnce(url: string, apiKey: string, domain: string): Promise<ExportBundle> {
  const client = createClient({ baseUrl: url, apiKey })
  const line = createProgressLine()
  let job = await client.startExport({ domain, version: 'first start' })
  while (job.status === 'queued' || job.status === 'running') {
    line.update(countBar(job.pageCount, job.totalPages, 'pages exported'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    job = await client.getExport(job.jobId)
  }
  line.end()
  if (job.status === 'failed') throw new Error(job.error ?? 'unknown')
  return client.generateBundle(job.jobId)
}

interface Greeting {
  url: string
  /** Address of the sample site. */
  site: string
  domain: string
  adminKey: string | null
  setupUrl: string | null
}

function greeting({ url, site, domain, adminKey, setupUrl }: Greeting): string[] {
  const lines = ['', '  Octavo is running.', '', `  Dashboard    ${url}`, `  Sample site  ${site}`]
  if (setupUrl !== null) lines.push(`  First owner  ${setupUrl}`, '               works once, for a day')
  if (adminKey !== null) lines.push(`  Admin key    ${adminKey}`, '               shown once, keep it')
  if (adminKey === null)
    return [
      ...lines,
      '',
      `  A new key: ${programCall()} keys create --name mine`,
      '',
      '  Ctrl-C stops everything.',
      '',
    ]
  return [...lines, '', ...curlLines(url, domain, adminKey), '', '  Ctrl-C stops everything.', '']
}

/** Comes when it is there: nobody who wants to look at the dashboard waits for it. */
function bundleLines(bundle: ExportBundle | Error): string[] {
  return [
    bundle instanceof Error
      ? `  First export failed: ${bundle.message}`
      : `  First bundle ${bundle.bundleUrl}`,
    '',
  ]
}

/**
 * Pasted one after the other as they are; `sed` is where a shell is. A line that lacks what one before it sets says so
 * and ends, and so does one whose request is refused.
 */
function curlLines(url: string, domain: string, adminKey: string): string[] {
  const jobs = '${OCTAVO_URL:?paste the line with export first}/v1/static-export/jobs'
  const job = `${jobs}/\${JOB:?no export was started}`
  const curl = 'curl -sSf -H "Authorization: Bearer $OCTAVO_KEY"'
  const field = (name: string) => `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`
  const body = `-H "Content-Type: application/json" -d '{"domain":"${domain}"}'`
  return [
    '  Export the site through the API:',
    '',
    `  export OCTAVO_URL=${url} OCTAVO_KEY=${adminKey}`,
    `  JOB=$(${curl} "${jobs}" ${body} | ${field('jobId')})`,
    `  while STATE=$(${curl} "${job}") && ! echo "$STATE" | grep -E '"status":"(completed|failed)"'; do sleep 1; done`,
    `  BUNDLE=$(${curl} -X POST "${job}/bundle" | ${field('bundleUrl')})`,
    '  curl -sSf -o bundle.tar.gz "${BUNDLE:?there is no bundle}" && tar tzf bundle.tar.gz',
    '',
    '  Or in one line:',
    '',
    `  ${programCall()} export --domain ${domain} --out bundle.tar.gz`,
  ]
}

/** A person at a terminal reads addresses, not a log: only warnings are shown unless a level was asked for. */
function quiet(config: Config, { flag, print }: CommandInput): Config {
  const isAsked = flag('log') !== undefined || config.logLevel !== 'info'
  return isAsked || print.isJson || !process.stderr.isTTY ? config : { ...config, logLevel: 'warn' }
}

function optionFlags(): Record<string, Flag> {
  const flags = Object.values(OPTIONS as Record<string, Option>).flatMap((option) =>
    option.flag === undefined
      ? []
      : [[option.flag, { value: 'value', help: `${option.help} (${option.env})` }] as const],
  )
  return Object.fromEntries(flags)
}

function givenFlags({ flag }: CommandInput): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(optionFlags()).map((name) => [name, flag(name)]))
}
