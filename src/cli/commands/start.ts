/** `octavo start`: runs a node, and on the first start in a data folder publishes the sample site. */
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type Config,
  describeUnknownSettings,
  loadConfig,
  loadDotEnv,
  removeSecretsFromEnv,
} from '../../app/config/config.ts'
import { OPTIONS } from '../../app/config/config-options.ts'
import type { Option } from '../../app/config/option.ts'
import type { Context } from '../../app/context.ts'
import { startNode } from '../../app/node.ts'
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import { announceServer, listRunningServers, type RunningServer } from '../../app/operator/running-servers.ts'
import {
  createFirstKey,
  ensureOrganization,
  ensureSampleProject,
  exportSample,
  isPublished,
  publishSample,
  type SampleProject,
  sampleSiteUrl,
} from '../../app/operator/sample-site.ts'
import { createSetupLink } from '../../app/operator/sign-in.ts'
import { createLog, logProcessErrors } from '../../base/log.ts'
import type { ExportBundle, ExportJob } from '../../features/export/operations/static-export.ts'
import type { Deployment } from '../../features/hosting/operations/deployments.ts'
import { mainDomain } from '../api-client.ts'
import type { Command, CommandInput, Flag } from '../command.ts'
import { isOperatorError } from '../operator-error.ts'
import { counted, createProgressLine } from '../progress-line.ts'
import { createStopSignal, exitAfterStopTimeout, StoppedError, whenAborted } from '../stop-signal.ts'
import { formatDeploymentProgress, formatExportProgress } from '../work-bars.ts'

export const start: Command = {
  name: 'start',
  summary: 'Run a node: API, hosted sites and background jobs.',
  worksOn: 'node',
  flags: {
    ...optionFlags(),
    'no-sample': { help: 'Start without creating an organization, a key and a sample site.' },
    demo: { help: 'Also export the sample site at the first start.' },
    join: { help: 'Start another node next to a server running on the same data.' },
  },
  async run(given) {
    return await runNode(given).catch((error: Error) => {
      if (process.stderr.isTTY) throw error
      const fault = isOperatorError(error) ? { text: error.message } : { err: error }
      createLog('error', { asText: false }).error(fault, 'start.failed')
      return 1
    })
  },
}

async function runNode(given: CommandInput): Promise<number> {
  const input = { ...given, print: { ...given.print, note: createNotePrinter(given) } }
  const stopping = createStopSignal(new StoppedError('Stopped.'))
  reportDotEnv(input)
  for (const line of describeUnknownSettings()) input.print.note(line)
  const { config, secrets } = loadConfig(givenFlags(input))
  limitStopTime(stopping, input.print.note, config)
  removeSecretsFromEnv()
  const running = input.has('join') ? null : await findServerOn(config)
  if (running !== null) return reportRunning(running, input)
  if (!process.stderr.isTTY) logProcessErrors(createLog(config.logLevel))
  input.print.note('Starting Octavo …')
  try {
    const node = await startNode(withQuietLog(config, input), secrets, {
      hasWorkerProcess: true,
      signal: stopping,
    })
    try {
      await using _announced = await announce(node.context)
      stopping.throwIfAborted()
      await prepareFirstStart(node.context, input, stopping)
      await whenAborted(stopping)
    } finally {
      await node.stop()
    }
  } catch (error) {
    if (!stopping.aborted) throw error
  }
  return 0
}

/** Reports the shutdown, and ends the process if it takes too long. Acknowledged work is not lost. */
function limitStopTime(stopping: AbortSignal, note: (line: string) => void, config: Config): void {
  stopping.addEventListener('abort', () => {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K')
    note('Stopping …')
    exitAfterStopTimeout(
      () => note('Stopping took too long. Unfinished jobs continue at the next start.'),
      config,
    )
  })
}

/** Returns whether commands can use this node: workers have no URL, and nodes of the role site no API. */
function hasApi({ role }: Config): boolean {
  return role === 'all' || role === 'api'
}

/**
 * Finds a running server with the same data, because a second server is rarely intended. Nodes without an API
 * may run alongside it.
 */
async function findServerOn(config: Config): Promise<RunningServer | null> {
  if (!hasApi(config)) return null
  const folder = await realpath(config.dataFolder).catch(() => resolve(config.dataFolder))
  return (await listRunningServers()).find(({ dataFolder }) => dataFolder === folder) ?? null
}

function reportRunning({ publicUrl, pid }: RunningServer, { print }: CommandInput): number {
  const known: Ready = { ...EMPTY_READY, url: publicUrl }
  print.result({ ...known, isAlreadyRunning: true }, [
    `Octavo is already running at ${publicUrl} (process ${pid}).`,
    `Another node on the same data: ${resolveProgramCommand()} start --join --port 0`,
  ])
  return 0
}

/** Returns a function that prints remarks. If stderr is not a terminal, it logs them, whatever the log level. */
function createNotePrinter({ print }: CommandInput): (line: string) => void {
  if (process.stderr.isTTY) return print.note
  const log = createLog('info', { asText: false })
  return (text) => log.info({ text }, 'start.note')
}

/** Reports a `.env` file, so that an unintended one is noticed. */
function reportDotEnv({ print }: CommandInput): void {
  const dotEnv = loadDotEnv(process.cwd())
  if (dotEnv === null) return
  const { file, applied: taken, unknown } = dotEnv
  if (taken.length > 0) print.note(`Settings of ${file}: ${taken.join(', ')}`)
  if (unknown.length > 0) print.note(`${file} contains unknown settings: ${unknown.join(', ')}`)
}

async function announce(context: Context): Promise<AsyncDisposable | null> {
  if (!hasApi(context.config)) return null
  return await announceServer(context.config, { port: context.port(), publicUrl: context.publicUrl() })
}

interface Ready {
  url: string
  organizationId: string | null
  projectId: string | null
  domain: string | null
  adminKey: string | null
  setupUrl: string | null
}

const EMPTY_READY: Ready = {
  url: '',
  organizationId: null,
  projectId: null,
  domain: null,
  adminKey: null,
  setupUrl: null,
}

/** Publishes the sample if necessary and prints the URLs. The node already serves requests. */
async function prepareFirstStart(
  context: Context,
  input: CommandInput,
  stopping: AbortSignal,
): Promise<void> {
  const { has, print } = input
  if (context.config.role === 'worker') {
    print.note('The worker is running.')
    if (print.isJson) print.document({ role: 'worker', pid: process.pid })
    return
  }
  if (context.config.role === 'site') {
    print.note(`Serving sites at port ${context.port()}`)
    if (print.isJson) print.document({ role: 'site', pid: process.pid, port: context.port() })
    return
  }
  const url = context.publicUrl()
  // A new link would invalidate the one that the first node has printed.
  const setupUrl = has('join') ? null : await createSetupLink(context)
  if (has('no-sample')) {
    print.note(`Octavo is running at ${url}`)
    if (setupUrl !== null) print.note(`Create the first owner: ${setupUrl}`)
    if (print.isJson) print.document({ ...EMPTY_READY, url, setupUrl })
    return
  }
  print.note(`Serving at ${url}`)
  const organizationId = await ensureOrganization(context)
  const { project } = await ensureSampleProject(context, organizationId)
  const isFirst = !(await isPublished(context, project))
  if (isFirst) await publish(context, project, print, stopping)
  const bundle = isFirst && has('demo') ? await exportOnce(context, project, print, stopping) : null
  const domain = mainDomain(project)
  const adminKey = await createFirstKey(context, organizationId)
  const ready: Ready = { url, organizationId, projectId: project.id, domain, adminKey, setupUrl }
  print.result(
    ready,
    formatGreeting({ url, site: sampleSiteUrl(context, domain), domain, adminKey, setupUrl, bundle }),
  )
}

async function publish(
  context: Context,
  project: SampleProject,
  { note }: CommandInput['print'],
  stopping: AbortSignal,
): Promise<void> {
  note('Publishing the sample site …')
  const line = createProgressLine()
  const report = (state: Deployment) => line.update(formatDeploymentProgress(state))
  const deployment = await publishSample(context, project, report, stopping).finally(() => line.end())
  if (deployment.status === 'failed') note(`The sample site was not published: ${deployment.error}`)
  else note(`Published the sample site: ${counted(deployment.pageCount, 'page')}`)
}

/** Exports the sample. A failure is reported but does not stop the start. */
async function exportOnce(
  context: Context,
  project: SampleProject,
  { note }: CommandInput['print'],
  stopping: AbortSignal,
): Promise<ExportBundle | null> {
  note('Exporting the sample site …')
  const line = createProgressLine()
  const report = (job: ExportJob) => line.update(formatExportProgress(job))
  const { job, bundle } = await exportSample(context, project, report, stopping).finally(() => line.end())
  if (bundle === null) note(`The sample site was not exported: ${job.error}`)
  else note(`Exported the sample site: ${counted(job.pageCount, 'page')}`)
  return bundle
}

interface Greeting {
  url: string
  site: string
  domain: string
  adminKey: string | null
  setupUrl: string | null
  bundle: ExportBundle | null
}

function formatGreeting({ url, site, domain, adminKey, setupUrl, bundle }: Greeting): string[] {
  const lines = ['', '  Octavo is running.', '', `  Dashboard    ${url}`, `  Sample site  ${site}`]
  if (bundle !== null) lines.push(`  Its export   ${bundle.bundleUrl}`)
  if (setupUrl !== null) lines.push(`  First owner  ${setupUrl}`, '               works once, for a day')
  if (adminKey === null) lines.push('', `  A new key: ${resolveProgramCommand()} keys create --name mine`)
  else
    lines.push(
      `  Admin key    ${adminKey}`,
      '               shown once: store it now',
      '',
      ...buildCurlLines(url, domain, adminKey),
    )
  return [...lines, '', '  Ctrl-C stops everything.', '']
}

/**
 * Shell lines to paste one after another; they only need `sed` in addition to curl. A line fails with a message if a
 * variable set by an earlier line is missing, or if its request is rejected.
 */
function buildCurlLines(url: string, domain: string, adminKey: string): string[] {
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
    `  ${resolveProgramCommand()} export --domain ${domain} --out bundle.tar.gz`,
  ]
}

function withQuietLog(config: Config, { flag, print }: CommandInput): Config {
  const isLevelChosen = flag('log') !== undefined || config.logLevel !== 'info'
  return isLevelChosen || print.isJson || !process.stderr.isTTY
    ? config
    : { ...config, logLevel: 'warn', logsAsText: true }
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
