/** `octavo projects agent`: the model and limits of a project's agent jobs. */

import { Check } from 'typebox/value'
import { checkModelName } from '../../../app/config/agent-config.ts'
import { changeAgentChoice, chooseProject } from '../../../app/operator/administration.ts'
import type { AgentChoice } from '../../../features/agent/operations/agent.ts'
import { AgentChoice as AgentChoiceShape } from '../../../features/agent/operations/agent-choice.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

/** Behaviors that can be turned on and off. */
const BEHAVIOR_FLAGS = {
  answersReviews: {
    flag: 'reviews',
    help: 'Whether comments of reviewers on its pull requests become turns.',
  },
  asksBack: { flag: 'questions', help: 'Whether the agent may ask a question back while it works.' },
  selfReview: { flag: 'self-review', help: 'Whether it looks over its whole change before it is published.' },
  drafts: { flag: 'drafts', help: 'Whether its pull requests are opened as drafts.' },
  signsOff: { flag: 'sign-off', help: 'Whether its commits end with Signed-off-by.' },
  namesAskers: {
    flag: 'co-authors',
    help: 'Whether its commits name the members who asked for the change, with their e-mail addresses.',
  },
  externalLinks: {
    flag: 'external-links',
    help: 'Whether new addresses of other sites are asked before it is published.',
  },
} as const
type BehaviorName = keyof typeof BEHAVIOR_FLAGS

const LISTS = {
  models: 'Models that a job may be started with, beside that of the project.',
  efforts: 'Efforts of thinking that a job may be started with: low, medium, high.',
  reviewers: 'Who is asked to review its pull requests, as the forge calls them.',
  labels: 'Labels of its pull requests.',
  hosts: 'Hosts whose pages the agent may read.',
  names: 'Names as the documentation has to write them.',
} as const
type List = keyof typeof LISTS

const CAPS = {
  steps: 'Answers of the model that one turn may take.',
  tokens: 'Tokens that one turn may use, input and output together.',
  minutes: 'Minutes that one turn may take.',
  files: 'Files that a job may change.',
  bytes: 'Bytes of all changed files together.',
} as const satisfies Record<
  keyof Omit<AgentChoice, 'model' | 'style' | 'commitAuthor' | BehaviorName | List>,
  string
>
type Cap = keyof typeof CAPS

const AUTHOR_HELP = 'As whom its commits are made, name <e-mail>.'
const MODEL_HELP = 'The language model, <provider>:<name>.'

export const projectsAgent: Command = {
  name: 'projects agent',
  summary: "Show or change the model and the limits of a project's agent jobs; default is the operator's.",
  worksOn: 'data',
  positionals: ['project'],
  flags: {
    model: { value: '<provider>:<name>|default', help: MODEL_HELP },
    author: { value: '<name> <<e-mail>>|default', help: AUTHOR_HELP },
    ...Object.fromEntries(Object.entries(CAPS).map(([name, help]) => [name, { value: '<n>|default', help }])),
    ...Object.fromEntries(
      Object.values(BEHAVIOR_FLAGS).map(({ flag, help }) => [flag, { value: 'on|off|default', help }]),
    ),
    ...Object.fromEntries(
      Object.entries(LISTS).map(([name, help]) => [name, { value: '<name>,<name>…|default', help }]),
    ),
  },
  async run({ positionals, flag, print }) {
    const change = readChange(flag)
    const isChange = Object.keys(change).length > 0
    const named = positionals[0] as string
    const project = await withDatabase((context) =>
      isChange ? changeAgentChoice(context, named, change) : chooseProject(context, named),
    )
    print.result(
      { projectId: project.id, agent: project.agent },
      table([
        ['SETTING', 'VALUE', ''],
        ['model', project.agent.model ?? 'default', MODEL_HELP],
        ['author', project.agent.commitAuthor ?? 'default', AUTHOR_HELP],
        ...Object.entries(CAPS).map(([name, help]) => [
          name,
          String(project.agent[name as Cap] ?? 'default'),
          help,
        ]),
        ...(Object.keys(BEHAVIOR_FLAGS) as BehaviorName[]).map((name) => [
          BEHAVIOR_FLAGS[name].flag,
          ON_OFF[String(project.agent[name] ?? 'default')] ?? 'default',
          BEHAVIOR_FLAGS[name].help,
        ]),
        ...(Object.keys(LISTS) as List[]).map((name) => [
          name,
          project.agent[name]?.join(', ') ?? 'default',
          LISTS[name],
        ]),
      ]),
    )
    return 0
  },
}

const ON_OFF: Readonly<Record<string, string>> = { true: 'on', false: 'off' }

/** Parses the flags. Throws UsageError with every fault. */
function readChange(flag: (name: string) => string | undefined): {
  [Setting in keyof AgentChoice]: AgentChoice[Setting] | undefined
} {
  const change: { [Setting in keyof AgentChoice]: AgentChoice[Setting] | undefined } = {}
  const faults: string[] = []
  const model = flag('model')
  if (model !== undefined) {
    const fault = model === 'default' ? null : checkModelName(model)
    if (fault !== null) faults.push(`--model cannot be used. ${fault}`)
    change.model = model === 'default' ? undefined : model
  }
  const author = flag('author')
  if (author !== undefined) {
    const commitAuthor = author === 'default' ? undefined : author
    if (commitAuthor !== undefined && !Check(AgentChoiceShape, { commitAuthor }))
      faults.push('--author must be a name with an e-mail address in angle brackets, or default.')
    change.commitAuthor = commitAuthor
  }
  for (const name of Object.keys(CAPS) as Cap[]) {
    const value = flag(name)
    if (value === undefined) continue
    if (value !== 'default' && !/^[1-9]\d{0,8}$/.test(value))
      faults.push(`--${name} must be a whole number from 1, or default.`)
    change[name] = value === 'default' ? undefined : Number(value)
  }
  for (const name of Object.keys(BEHAVIOR_FLAGS) as BehaviorName[]) {
    const value = flag(BEHAVIOR_FLAGS[name].flag)
    if (value === undefined) continue
    if (!/^(?:on|off|default)$/.test(value))
      faults.push(`--${BEHAVIOR_FLAGS[name].flag} must be on, off or default.`)
    change[name] = value === 'default' ? undefined : value === 'on'
  }
  for (const name of Object.keys(LISTS) as List[]) {
    const value = flag(name)
    if (value === undefined) continue
    const named = value.split(',').map((one) => one.trim())
    const choice: Partial<Record<List, string[]>> = { [name]: named }
    if (value !== 'default' && !Check(AgentChoiceShape, choice))
      faults.push(`--${name} must be names with commas between, or default.`)
    Object.assign(change, { [name]: value === 'default' ? undefined : named })
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return change
}
