/** The entry of the command line: finds the command, reads its arguments, runs it, and turns faults into sentences. */
import { takeParent } from '../app/config.ts'
import { ApiError } from '../client/call.ts'
import { type Command, createPrinter, explain, readArguments, UsageError } from './command.ts'
import { isOperatorError } from './operator-error.ts'
import { endWithParent } from './stop-signal.ts'

/** Commands by their first word, in the order of the overview. Only what is called is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  start: async () => [(await import('./commands/start.ts')).start],
  dev: async () => [(await import('./commands/dev.ts')).dev],
  build: async () => [(await import('./commands/build.ts')).build],
  check: async () => [(await import('./commands/check.ts')).check],
  export: async () => [(await import('./commands/export.ts')).exportSite],
  keys: async () => {
    const { keysCreate, keysList, keysRevoke } = await import('./commands/keys.ts')
    return [keysCreate, keysList, keysRevoke]
  },
  projects: async () => {
    const { projectsCreate, projectsList, projectsSync } = await import('./commands/projects.ts')
    const { projectsWidgets } = await import('./commands/widgets.ts')
    const { projectsAgent } = await import('./commands/projects-agent.ts')
    return [projectsCreate, projectsList, projectsSync, projectsWidgets, projectsAgent]
  },
  orgs: async () => {
    const commands = await import('./commands/orgs.ts')
    return [commands.orgsCreate, commands.orgsList, commands.orgsSetPlan]
  },
  members: async () => {
    const commands = await import('./commands/members.ts')
    return [commands.membersInvite, commands.membersList, commands.membersResetPassword]
  },
  audit: async () => {
    const { auditPrune, auditVerify } = await import('./commands/audit.ts')
    return [auditVerify, auditPrune]
  },
  feedback: async () => {
    const commands = await import('./commands/feedback.ts')
    return [
      commands.feedbackList,
      commands.feedbackExport,
      commands.feedbackSetStatus,
      commands.feedbackImport,
    ]
  },
  agent: async () => {
    const commands = await import('./commands/agent.ts')
    return [
      commands.agentRun,
      commands.agentList,
      commands.agentShow,
      commands.agentFollow,
      commands.agentMessage,
      commands.agentCancel,
      commands.agentArchive,
      commands.agentReview,
      commands.agentAccept,
      commands.agentDecline,
    ]
  },
  webhooks: async () => {
    const commands = await import('./commands/webhooks.ts')
    return [
      commands.webhooksCreate,
      commands.webhooksList,
      commands.webhooksDeliveries,
      commands.webhooksReplay,
      commands.webhooksDelete,
    ]
  },
  demo: async () => [
    (await import('./commands/demo-agent.ts')).demoAgent,
    (await import('./commands/demo.ts')).demoFeedback,
  ],
  config: async () => [(await import('./commands/config.ts')).config],
}

const parent = takeParent()
if (parent !== null) endWithParent(parent)
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args[0] === '--help' || args[0] === 'help') {
    process.stdout.write(overview(await allCommands()))
    return 0
  }
  const [word = ''] = args
  const known = Object.hasOwn(COMMANDS, word) ? await COMMANDS[word]?.() : []
  const command = known?.find((candidate) => isCalled(candidate, args))
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

async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.values(COMMANDS).map((load) => load()))).flat()
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 2
  return [
    'octavo <command> [flags]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    'octavo <command> --help explains a command. --json prints one JSON document on standard output.',
    '',
  ].join('\n')
}
