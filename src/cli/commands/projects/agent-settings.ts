/** `octavo projects agent`: the model and limits of a project's agent jobs. */

import { Check } from 'typebox/value'
import { checkModelName } from '../../../app/config/agent-config.ts'
import type { AgentChoice } from '../../../features/agent/operations/agent.ts'
import {
  type AgentChoiceChange,
  AgentChoice as AgentChoiceShape,
} from '../../../features/agent/operations/agent-choice.ts'
import { changeProject } from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'

const BEHAVIOR_FLAGS = {
  answersReviews: {
    flag: 'reviews',
    help: 'Whether review comments on pull requests by the agent start new turns.',
  },
  asksBack: { flag: 'questions', help: 'Whether the agent can ask questions while it works.' },
  selfReview: {
    flag: 'self-review',
    help: 'Whether the agent reviews its whole change before publishing it.',
  },
  drafts: { flag: 'drafts', help: 'Whether the agent opens its pull requests as drafts.' },
  signsOff: { flag: 'sign-off', help: 'Whether commits by the agent end with a Signed-off-by trailer.' },
  namesAskers: {
    flag: 'co-authors',
    help: 'Whether commits by the agent name the members who requested the change, with their email addresses.',
  },
  externalLinks: {
    flag: 'external-links',
    help: 'Whether new external links are checked before publishing.',
  },
} as const
type BehaviorName = keyof typeof BEHAVIOR_FLAGS

const LISTS = {
  models: "Models that a job can be started with, in addition to the project's model.",
  efforts: 'Reasoning efforts that a job can be started with: low, medium, high.',
  reviewers: 'Reviewers of pull requests by the agent, listed by their names on the forge.',
  labels: 'Labels of pull requests by the agent.',
  hosts: 'Hosts whose pages the agent can read.',
  names: 'Names with a required spelling.',
} as const
type List = keyof typeof LISTS

const CAPS = {
  steps: 'Maximum model responses per turn.',
  tokens: 'Maximum tokens per turn, input and output combined.',
  minutes: 'Maximum minutes per turn.',
  files: 'Maximum files that a job can change.',
  bytes: 'Maximum total bytes of changed files.',
} as const satisfies Record<
  keyof Omit<AgentChoice, 'model' | 'style' | 'commitAuthor' | BehaviorName | List>,
  string
>
type Cap = keyof typeof CAPS

const AUTHOR_HELP = 'Author of commits by the agent, as name <email>.'
const MODEL_HELP = 'Language model, <provider>:<name>.'

export const projectsAgent: Command = {
  name: 'projects agent',
  summary:
    'Show or change the model and limits of a project\'s agent jobs; "default" restores the operator\'s default.',
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
    const { projectId, agent } = await changeProject(positionals[0] as string, 'agent', readChange(flag))
    print.result(
      { projectId, agent },
      table([
        ['SETTING', 'VALUE', ''],
        ['model', agent.model ?? 'default', MODEL_HELP],
        ['author', agent.commitAuthor ?? 'default', AUTHOR_HELP],
        ...Object.entries(CAPS).map(([name, help]) => [name, String(agent[name as Cap] ?? 'default'), help]),
        ...(Object.keys(BEHAVIOR_FLAGS) as BehaviorName[]).map((name) => [
          BEHAVIOR_FLAGS[name].flag,
          ON_OFF[String(agent[name] ?? 'default')] ?? 'default',
          BEHAVIOR_FLAGS[name].help,
        ]),
        ...(Object.keys(LISTS) as List[]).map((name) => [
          name,
          agent[name]?.join(', ') ?? 'default',
          LISTS[name],
        ]),
      ]),
    )
    return 0
  },
}

const ON_OFF: Readonly<Record<string, string>> = { true: 'on', false: 'off' }

/** Parses the flags; null reverts to the operator's setting. Throws UsageError with every fault. */
function readChange(flag: (name: string) => string | undefined): AgentChoiceChange {
  const change: AgentChoiceChange = {}
  const faults: string[] = []
  const model = flag('model')
  if (model !== undefined) {
    const fault = model === 'default' ? null : checkModelName(model)
    if (fault !== null) faults.push(`--model cannot be used. ${fault}`)
    change.model = model === 'default' ? null : model
  }
  const author = flag('author')
  if (author !== undefined) {
    const commitAuthor = author === 'default' ? null : author
    if (commitAuthor !== null && !Check(AgentChoiceShape, { commitAuthor }))
      faults.push('--author must be a name with an email address in angle brackets, or default.')
    change.commitAuthor = commitAuthor
  }
  for (const name of Object.keys(CAPS) as Cap[]) {
    const value = flag(name)
    if (value === undefined) continue
    if (value !== 'default' && !/^[1-9]\d{0,8}$/.test(value))
      faults.push(`--${name} must be a whole number from 1, or default.`)
    change[name] = value === 'default' ? null : Number(value)
  }
  for (const name of Object.keys(BEHAVIOR_FLAGS) as BehaviorName[]) {
    const value = flag(BEHAVIOR_FLAGS[name].flag)
    if (value === undefined) continue
    if (!/^(?:on|off|default)$/.test(value))
      faults.push(`--${BEHAVIOR_FLAGS[name].flag} must be on, off or default.`)
    change[name] = value === 'default' ? null : value === 'on'
  }
  for (const name of Object.keys(LISTS) as List[]) {
    const value = flag(name)
    if (value === undefined) continue
    const named = value.split(',').map((one) => one.trim())
    const choice: Partial<Record<List, string[]>> = { [name]: named }
    if (value !== 'default' && !Check(AgentChoiceShape, choice))
      faults.push(`--${name} must be names separated by commas, or default.`)
    Object.assign(change, { [name]: value === 'default' ? null : named })
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return change
}
