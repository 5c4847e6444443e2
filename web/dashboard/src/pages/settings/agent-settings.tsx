import { EFFORTS } from '../../../../../src/base/api/form-choices.ts'
import { AGENT_CAP_RANGES, type AgentCap } from '../../../../../src/features/agent/operations/agent-caps.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { Notice } from '../../ui/card.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { parseNameList } from '../../ui/parse-name-list.ts'
import { Switch } from '../../ui/switch.tsx'
import { TextareaField, TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { ModelSetup } from '../model-setup.tsx'
import { CommitKeySection } from './commit-key.tsx'
import { SettingsForm, type SettingsShape } from './settings-form.tsx'

const LISTS = {
  reviewers: {
    label: t('Reviewers'),
    hint: t(
      'User names at the forge, separated by commas; organization/team for a team at GitHub, Gitea and Forgejo, {id} of an account at Bitbucket.',
      { id: '{uuid}' },
    ),
  },
  labels: {
    label: t('Labels'),
    hint: t('With commas between. Bitbucket has none.'),
  },
  models: {
    label: t('Models that a job may be started with'),
    hint: t('Beside that of the project, as provider:name, separated by commas.'),
  },
  efforts: {
    label: t('Efforts that a job may be started with'),
    hint: t('How much the model thinks: {values}.', { values: EFFORTS.join(', ') }),
  },
  hosts: {
    label: t('Other sites that it may read'),
    hint: t('Host names, separated by commas. The agent reads pages of no other site.'),
  },
  names: {
    label: t('Names'),
    hint: t(
      'As the docs must spell them, separated by commas. A change that spells them differently must be corrected before it is published.',
    ),
  },
} as const
type ListName = keyof typeof LISTS
const EXAMPLES: Record<ListName, string> = {
  reviewers: 'ann, acme/docs',
  labels: 'documentation',
  models: 'anthropic:claude-opus-4-5, anthropic:claude-haiku-4-5',
  efforts: EFFORTS.join(', '),
  hosts: 'developer.mozilla.org, www.rfc-editor.org',
  names: 'PostgreSQL, Acme Cloud',
}
const EXAMPLE_AUTHOR = 'Acme Docs <docs-bot@acme.example>'
const EXAMPLE_MODEL = 'anthropic:claude-sonnet-4-5'
const LIST_NAMES = Object.keys(LISTS) as ListName[]

/** Form state; empty values use the operator's defaults. */
interface AgentDraft {
  model: string
  style: string
  answersReviews: boolean
  selfReview: boolean
  asksBack: boolean
  drafts: boolean
  externalLinks: boolean
  commitAuthor: string
  signsOff: boolean
  namesAskers: boolean
  /** Comma-separated. */
  lists: Record<ListName, string>
  caps: Record<AgentCap, string>
}

const CAPS: Record<AgentCap, { label: string; about: string }> = {
  steps: { label: t('Steps'), about: t('Answers of the model.') },
  tokens: { label: t('Tokens'), about: t('Read and written, together.') },
  minutes: { label: t('Minutes'), about: t('Of work; waiting does not count.') },
  files: { label: t('Files'), about: t('That it may change.') },
  bytes: { label: t('Bytes'), about: t('Of all changed files together.') },
}
const CAP_NAMES = Object.keys(CAPS) as AgentCap[]

const SHAPE: SettingsShape<AgentDraft> = {
  toDraft: ({ agent }) => ({
    model: agent.model ?? '',
    style: agent.style ?? '',
    answersReviews: agent.answersReviews ?? true,
    selfReview: agent.selfReview ?? true,
    asksBack: agent.asksBack ?? true,
    drafts: agent.drafts ?? false,
    externalLinks: agent.externalLinks ?? false,
    commitAuthor: agent.commitAuthor ?? '',
    signsOff: agent.signsOff ?? false,
    namesAskers: agent.namesAskers ?? false,
    lists: Object.fromEntries(
      LIST_NAMES.map((name) => [name, (agent[name] ?? []).join(', ')]),
    ) as AgentDraft['lists'],
    caps: Object.fromEntries(
      CAP_NAMES.map((name) => [name, agent[name]?.toString() ?? '']),
    ) as AgentDraft['caps'],
  }),
  toChange: ({ model, style, answersReviews, selfReview, drafts, externalLinks, lists, caps, ...more }) => ({
    agent: {
      model: model.trim() === '' ? null : model.trim(),
      style: style.trim() === '' ? null : style.trim(),
      answersReviews: answersReviews ? null : false,
      selfReview: selfReview ? null : false,
      drafts: drafts ? true : null,
      externalLinks: externalLinks ? true : null,
      commitAuthor: more.commitAuthor.trim() === '' ? null : more.commitAuthor.trim(),
      asksBack: more.asksBack ? null : false,
      signsOff: more.signsOff ? true : null,
      namesAskers: more.namesAskers ? true : null,
      ...Object.fromEntries(LIST_NAMES.map((name) => [name, parseNames(lists[name])])),
      // Anything but a number is sent unchanged, so that the server's error appears at the field with all others.
      ...Object.fromEntries(
        CAP_NAMES.map((name) => [name, caps[name].trim() === '' ? null : parseNumber(caps[name])]),
      ),
    },
  }),
  toLabelledValues: ({
    model,
    style,
    answersReviews,
    selfReview,
    drafts,
    externalLinks,
    lists,
    caps,
    ...more
  }) => [
    { label: t('Model'), value: model },
    { label: t('Style'), value: style },
    { label: t('Comments of reviewers'), value: answersReviews ? t('taken up') : t('left to people') },
    { label: t('Second look'), value: selfReview ? t('on') : t('off') },
    { label: t('Drafts'), value: drafts ? t('on') : t('off') },
    { label: t('Links to other sites'), value: externalLinks ? t('asked') : t('not asked') },
    { label: t('Questions'), value: more.asksBack ? t('on') : t('off') },
    { label: t('Author of commits'), value: more.commitAuthor },
    { label: t('Sign-off'), value: more.signsOff ? t('on') : t('off') },
    { label: t('Co-authors'), value: more.namesAskers ? t('on') : t('off') },
    ...LIST_NAMES.map((name) => ({ label: LISTS[name].label, value: lists[name] })),
    ...CAP_NAMES.map((name) => ({ label: CAPS[name].label, value: caps[name] })),
  ],
  matchField: (path) =>
    ['model', 'style', 'commitAuthor', ...LIST_NAMES, ...CAP_NAMES].find(
      (name) => path === `agent/${name}` || path.startsWith(`agent/${name}/`),
    ),
}

function parseNames(text: string): string[] | null {
  const names = parseNameList(text)
  return names.length === 0 ? null : names
}

/** Replaces the server's message, which states the general range, with the lower maximum of the operator. */
function rangeFault(name: AgentCap, fault: string | undefined, most: number): string | undefined {
  if (fault === undefined) return undefined
  const [least] = AGENT_CAP_RANGES[name]
  return t('A whole number from {least} to {most}.', { least, most })
}

function parseNumber(text: string): number | string {
  const digits = text.replace(/[\s,_.]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : text.trim()
}

export function AgentSettings({ project }: { project: ProjectDetail }) {
  const { agentLimits } = project
  return (
    <>
      <SettingsForm project={project} shape={SHAPE}>
        {({ draft, set, faults, mayChange }) => (
          <>
            {agentLimits.model === null && <NoModel />}
            <TextField
              label={t('Model')}
              isOptional
              hint={
                agentLimits.model === null
                  ? t('As provider:name.')
                  : t('As provider:name. Leave it empty for {model}, the operator’s choice.', {
                      model: agentLimits.model,
                    })
              }
              error={faults.model}
              isMono
              value={draft.model}
              placeholder={agentLimits.model ?? EXAMPLE_MODEL}
              onText={(model) => set({ model })}
            />
            <ListField name="models" draft={draft} set={set} faults={faults} />
            <ListField name="efforts" draft={draft} set={set} faults={faults} />
            <TextareaField
              label={t('Style')}
              isOptional
              hint={t(
                'How the documentation should be written, in addition to what AGENTS.md in the repository says.',
              )}
              error={faults.style}
              rows={5}
              maxLength={4000}
              value={draft.style}
              onText={(style) => set({ style })}
            />
            <ListField name="hosts" draft={draft} set={set} faults={faults} />
            <ListField name="names" draft={draft} set={set} faults={faults} />
            <Reviews draft={draft} set={set} mayChange={mayChange} />
            <PullRequests draft={draft} set={set} faults={faults} mayChange={mayChange} />
            <Commits draft={draft} set={set} faults={faults} mayChange={mayChange} />
            <Limits agentLimits={agentLimits} draft={draft} set={set} faults={faults} />
          </>
        )}
      </SettingsForm>
      <CommitKeySection projectId={project.id} />
    </>
  )
}

type Faults = Readonly<Record<string, string | undefined>>

interface PartProps {
  draft: AgentDraft
  set: (change: Partial<AgentDraft>) => void
}

function Limits({
  agentLimits,
  draft,
  set,
  faults,
}: Omit<PartProps, 'mayChange'> & { faults: Faults; agentLimits: ProjectDetail['agentLimits'] }) {
  return (
    <FieldSet
      label={t('Limits of one turn of a job')}
      hint={t(
        'At the end of its steps, tokens or minutes, what a turn has changed is published as a draft; more files or bytes are refused. None can be above what the operator allows.',
      )}
    >
      <div class="grid gap-x-4 sm:grid-cols-2">
        {CAP_NAMES.map((name) => (
          <TextField
            key={name}
            label={CAPS[name].label}
            hint={`${CAPS[name].about} ${t('At most {limit}.', { limit: agentLimits[name] })}`}
            error={rangeFault(name, faults[name], agentLimits[name])}
            inputMode="numeric"
            autocomplete="off"
            value={draft.caps[name]}
            placeholder={formatCount(agentLimits[name])}
            onText={(text) => set({ caps: { ...draft.caps, [name]: text } })}
          />
        ))}
      </div>
    </FieldSet>
  )
}

/** Replaces the server's message, which is about a single item of the list. */
const HOSTS_FAULT = t('Up to {count} host names in lower case, without https:// and path: {example}.', {
  count: 20,
  example: 'docs.example.com',
})

function ListField({ name, draft: { lists }, set, faults }: PartProps & { name: ListName; faults: Faults }) {
  const { label, hint } = LISTS[name]
  return (
    <TextField
      label={label}
      isOptional
      hint={hint}
      error={faults[name] && (name === 'hosts' ? HOSTS_FAULT : faults[name])}
      autocomplete="off"
      spellcheck={false}
      value={lists[name]}
      placeholder={EXAMPLES[name]}
      onText={(text) => set({ lists: { ...lists, [name]: text } })}
    />
  )
}

function PullRequests({ draft, set, faults, mayChange }: PartProps & { faults: Faults; mayChange: boolean }) {
  return (
    <>
      <FieldSet label={t('Pull requests')}>
        <Switch
          label={t('Open them as drafts')}
          about={t('Someone marks them ready at the forge.')}
          isOn={draft.drafts}
          isOff={!mayChange}
          onChange={(drafts) => set({ drafts })}
        />
      </FieldSet>
      <ListField name="reviewers" draft={draft} set={set} faults={faults} />
      <ListField name="labels" draft={draft} set={set} faults={faults} />
    </>
  )
}

function Commits({ draft, set, faults, mayChange }: PartProps & { faults: Faults; mayChange: boolean }) {
  return (
    <>
      <TextField
        label={t('Author of commits')}
        isOptional
        hint={t(
          'Name and e-mail address. A forge shows signed commits as verified when the address belongs to the account with the signing key.',
        )}
        error={faults.commitAuthor && t('A name, then an e-mail address in angle brackets.')}
        autocomplete="off"
        value={draft.commitAuthor}
        placeholder={EXAMPLE_AUTHOR}
        onText={(commitAuthor) => set({ commitAuthor })}
      />
      <FieldSet label={t('Commits')}>
        <Switch
          label={t('Sign off commits')}
          about={t('Each ends with Signed-off-by and its author.')}
          isOn={draft.signsOff}
          isOff={!mayChange}
          onChange={(signsOff) => set({ signsOff })}
        />
        <Switch
          label={t('Name who asked as co-author')}
          about={t(
            'Each ends with Co-authored-by and the name and e-mail address of the members who asked for the change.',
          )}
          isOn={draft.namesAskers}
          isOff={!mayChange}
          onChange={(namesAskers) => set({ namesAskers })}
        />
      </FieldSet>
    </>
  )
}

function Reviews({ draft, set, mayChange }: PartProps & { mayChange: boolean }) {
  return (
    <FieldSet label={t('Reviews')}>
      <Switch
        label={t('Act on comments on its pull requests')}
        about={t(
          'From people who may write to the repository: what they say becomes a turn of the job, and each comment is answered there. Bitbucket tells who may write only to a token of an administrator.',
        )}
        isOn={draft.answersReviews}
        isOff={!mayChange}
        onChange={(answersReviews) => set({ answersReviews })}
      />
      <Switch
        label={t('Check links to other sites')}
        about={t(
          'Those that a change adds, before it is published. The server requests each one, but never private addresses. The pull request lists dead links and those that gave no answer.',
        )}
        isOn={draft.externalLinks}
        isOff={!mayChange}
        onChange={(externalLinks) => set({ externalLinks })}
      />
      <Switch
        label={t('Ask questions back')}
        about={t(
          'What it cannot find out, and a wrong guess would spoil. The job waits for the answer, for up to 14 days.',
        )}
        isOn={draft.asksBack}
        isOff={!mayChange}
        onChange={(asksBack) => set({ asksBack })}
      />
      <Switch
        label={t('Review its change before it is published')}
        about={t(
          'The agent sees the whole change once more, with the task and what the check found. That takes one or a few steps of the turn.',
        )}
        isOn={draft.selfReview}
        isOff={!mayChange}
        onChange={(selfReview) => set({ selfReview })}
      />
    </FieldSet>
  )
}

function NoModel() {
  return (
    <div class="mb-5">
      <Notice tone="warning" title={t('No AI model is configured')}>
        {t('What you choose here takes effect once the server has one.')}
      </Notice>
      <ModelSetup setting="OCTAVO_MODEL" />
    </div>
  )
}
