import { EFFORTS } from '../../../../../src/base/api/form-choices.ts'
import {
  AGENT_CAP_RANGES,
  AGENT_CAPS,
  type AgentCap,
} from '../../../../../src/features/agent/operations/agent-caps.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import type { Entry, FieldSpec } from '../../forms/field-spec.ts'
import { Notice } from '../../ui/card.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { t } from '../../words/words.ts'
import { ModelSetup } from '../model-setup.tsx'
import { CommitKeySection } from './commit-key.tsx'
import { ProjectForm } from './project-form.tsx'

const EXAMPLE_MODEL = 'anthropic:claude-sonnet-4-5'

const CAPS: Record<AgentCap, { label: string; help: string }> = {
  steps: { label: t('Steps'), help: t('Responses from the model.') },
  tokens: { label: t('Tokens'), help: t('Input and output combined.') },
  minutes: { label: t('Minutes'), help: t('Working time, without waiting.') },
  files: { label: t('Files'), help: t('Files that it may change.') },
  bytes: { label: t('Bytes'), help: t('Total of all changed files.') },
}

export function AgentSettings({ project }: { project: ProjectDetail }) {
  return (
    <>
      <ProjectForm project={project} fields={() => agentFields(project.agentLimits)} />
      <CommitKeySection projectId={project.id} />
    </>
  )
}

function agentFields(limits: ProjectDetail['agentLimits']): readonly Entry[] {
  const { model } = limits
  return [
    model === null && <NoModel />,
    {
      name: 'agent/model',
      label: t('Model'),
      isMono: true,
      help:
        model === null
          ? t('In the form provider:name.')
          : t('In the form provider:name. Leave it empty to use {model}, the operator’s choice.', { model }),
      ...(model === null ? { example: EXAMPLE_MODEL } : { placeholder: model }),
    },
    {
      name: 'agent/models',
      label: t('Models available for jobs'),
      help: t('In addition to the project’s model, as provider:name, separated by commas.'),
    },
    {
      name: 'agent/efforts',
      label: t('Effort levels available for jobs'),
      help: t('How much the model thinks: {values}.', { values: EFFORTS.join(', ') }),
      example: EFFORTS.join(', '),
    },
    {
      name: 'agent/style',
      kind: 'area',
      label: t('Style'),
      help: t(
        'How the documentation should be written, in addition to what AGENTS.md in the repository says.',
      ),
      input: { rows: 5 },
    },
    {
      name: 'agent/hosts',
      label: t('Other sites that the agent may read'),
      help: t('Host names, separated by commas. The agent reads no other sites.'),
      errorText: t('Up to {count} host names in lower case, without https:// and path: {example}.', {
        count: 20,
        example: 'docs.example.com',
      }),
    },
    {
      name: 'agent/names',
      label: t('Names'),
      help: t(
        'As the docs must spell them, separated by commas. A change that spells them differently must be corrected before it is published.',
      ),
    },
    { group: t('Reviews'), fields: REVIEW_FIELDS },
    { group: t('Pull requests'), fields: [DRAFT_FIELD] },
    {
      name: 'agent/reviewers',
      label: t('Reviewers'),
      help: t(
        'Usernames on the forge, separated by commas. Use organization/team for a team on GitHub, Gitea or Forgejo, and the {id} of an account on Bitbucket.',
        { id: '{uuid}' },
      ),
    },
    { name: 'agent/labels', label: t('Labels'), help: t('Separated by commas. Bitbucket has no labels.') },
    {
      name: 'agent/commitAuthor',
      label: t('Author of commits'),
      help: t(
        'Name and email address. A forge shows signed commits as verified when the address belongs to the account with the signing key.',
      ),
      errorText: t('A name, then an email address in angle brackets.'),
    },
    { group: t('Commits'), fields: COMMIT_FIELDS },
    {
      group: t('Limits per turn of a job'),
      help: t(
        'A turn that runs out of steps, tokens or minutes publishes its changes as a draft. Changes beyond the file or byte limit are refused. The operator sets the highest possible values.',
      ),
      isGrid: true,
      fields: AGENT_CAPS.map((name) => capField(name, limits[name])),
    },
  ]
}

const REVIEW_FIELDS: readonly FieldSpec[] = [
  {
    name: 'agent/answersReviews',
    usual: true,
    label: t('Act on comments on its pull requests'),
    help: t(
      'Comments by people with write access start a turn of the job, and each comment gets a reply. On Bitbucket, only the token of an administrator can check for write access.',
    ),
  },
  {
    name: 'agent/externalLinks',
    usual: false,
    label: t('Check links to other sites'),
    help: t(
      'Checks links that a change adds before it is published. The server requests each one, but never private addresses. The pull request lists broken links and links that did not respond.',
    ),
  },
  {
    name: 'agent/asksBack',
    usual: true,
    label: t('Ask clarifying questions'),
    help: t(
      'The agent asks when a wrong guess would spoil the result. The job waits for the answer for up to 14 days.',
    ),
  },
  {
    name: 'agent/selfReview',
    usual: true,
    label: t('Review its change before it is published'),
    help: t(
      'The agent reviews the whole change again, together with the task and the check results. This takes one or a few steps of the turn.',
    ),
  },
]
const DRAFT_FIELD: FieldSpec = {
  name: 'agent/drafts',
  usual: false,
  label: t('Open pull requests as drafts'),
  help: t('A person must mark them as ready on the forge.'),
}
const COMMIT_FIELDS: readonly FieldSpec[] = [
  {
    name: 'agent/signsOff',
    usual: false,
    label: t('Sign off commits'),
    help: t('Each commit message ends with Signed-off-by and the author of the commit.'),
  },
  {
    name: 'agent/namesAskers',
    usual: false,
    label: t('Credit requesters as co-authors'),
    help: t(
      'Each commit message ends with Co-authored-by and the name and email address of each member who requested the change.',
    ),
  },
]

/** The server's message states the general range; the operator's maximum may be lower. */
function capField(name: AgentCap, most: number): FieldSpec {
  const [least] = AGENT_CAP_RANGES[name]
  const { label, help } = CAPS[name]
  return {
    name: `agent/${name}`,
    label,
    help: `${help} ${t('At most {limit}.', { limit: most })}`,
    errorText: t('A whole number from {least} to {most}.', { least, most }),
    isOptional: false,
    placeholder: formatCount(most),
  }
}

function NoModel() {
  return (
    <div class="mb-5">
      <Notice tone="warning" title={t('No AI model is configured')}>
        {t('These settings take effect once the server has a model.')}
      </Notice>
      <ModelSetup setting="OCTAVO_MODEL" />
    </div>
  )
}
