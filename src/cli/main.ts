/** The entry of the command line: finds the command, reads its arguments, runs it, and turns faults into sentences. */
import { ApiError } from '../client/call.ts'
import { type Command, createPrinter, explain, readArguments, UsageError } from './command.ts'
import {
  agentAccept,
  agentArchive,
  agentCancel,
  agentDecline,
  agentFollow,
  agentList,
  agentMessage,
  agentReview,
  agentRun,
  agentShow,
} from './commands/agent.ts'
import { build } from './commands/build.ts'
import { check } from './commands/check.ts'
import { config } from './commands/config.ts'
import { demoFeedback } from './commands/demo.ts'
import { demoAgent } from './commands/demo-agent.ts'
import { dev } from './commands/dev.ts'
import { exportSite } from './commands/export.ts'
import { feedbackExport, feedbackImport, feedbackList, feedbackSetStatus } from './commands/feedback.ts'
import { keysCreate, keysList, keysRevoke } from './commands/keys.ts'
import { membersInvite, membersList, membersResetPassword } from './commands/members.ts'
import { orgsCreate, orgsList, orgsSetPlan } from './commands/orgs.ts'
import { projectsCreate, projectsList, projectsSync } from './commands/projects.ts'
import { projectsAgent } from './commands/projects-agent.ts'
import { start } from './commands/start.ts'
import {
  webhooksCreate,
  webhooksDelete,
  webhooksDeliveries,
  webhooksList,
  webhooksReplay,
} from './commands/webhooks.ts'
import { projectsWidgets } from './commands/widgets.ts'
import { isOperatorError } from './operator-error.ts'

const COMMANDS: readonly Command[] = [
  start,
  dev,
  build,
  check,
  exportSite,
  keysCreate,
  keysList,
  keysRevoke,
  membersInvite,
  membersList,
  membersResetPassword,
  projectsCreate,
  projectsList,
  projectsSync,
  projectsWidgets,
  projectsAgent,
  orgsCreate,
  orgsList,
  orgsSetPlan,
  feedbackList,
  feedbackExport,
  feedbackSetStatus,
  feedbackImport,
  agentRun,
  agentList,
  agentShow,
  agentFollow,
  agentMessage,
  agentCancel,
  agentArchive,
  agentReview,
  agentAccept,
  agentDecline,
  webhooksCreate,
  webhooksList,
  webhooksDeliveries,
  webhooksReplay,
  webhooksDelete,
  demoAgent,
  demoFeedback,
  config,
]

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args[0] === '--help' || args[0] === 'help') {
    process.stdout.write(overview())
    return 0
  }
  const command = COMMANDS.find((candidate) => isCalled(candidate, args))
  if (!command) {
    process.stderr.write(`There is no command "${args.slice(0, 2).join(' ')}". See: octavo --help\n`)
    return 2
  }
  return run(command, args.slice(command.name.split(' ').length))
}

function isCalled(command: Command, args: readonly string[]): boolean {
  return command.name.split(' ').every((word, index) => args[index] === word)
}

async function run(command: Command, args: readonly string[]): Promise<number> {
  try {
    const { values, positionals, isHelp } = readArguments(command, args)
    if (isHelp) {
      process.stdout.write(explain(command))
      return 0
    }
    return await command.run({
      positionals,
      flag: (name) => values[name] as string | undefined,
      has: (name) => values[name] === true,
      print: createPrinter(values.json === true),
    })
  } catch (error) {
    return report(command, error)
  }
}

/** What the operator can mend is one sentence; anything else is a fault of ours and shows where it happened. */
function report(command: Command, error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message} See: octavo ${command.name} --help\n`)
    return 2
  }
  if (error instanceof ApiError) {
    const lines = [error.message, ...error.details.map((detail) => `  - ${detail}`)]
    if (error.requestId !== null) lines.push(`Request id: ${error.requestId}`)
    process.stderr.write(`${lines.join('\n')}\n`)
    return 1
  }
  if (error instanceof Error && isOperatorError(error)) process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length)) + 2
  return [
    'octavo <command> [flags]',
    '',
    ...COMMANDS.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    'octavo <command> --help explains a command. --json prints one JSON document on standard output.',
    '',
  ].join('\n')
}
