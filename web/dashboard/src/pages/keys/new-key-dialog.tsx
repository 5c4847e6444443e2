import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { NAME_CHARACTERS } from '../../../../../src/base/api/form-limits.ts'
import type { KeyKind } from '../../../../../src/base/api/operation.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup, SegmentedControl } from '../../ui/choice.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { TextareaField, TextField } from '../../ui/text-field.tsx'
import { plural, t } from '../../words/words.ts'
import { curlLine, searchLine } from './curl-line.ts'

type Days = '7' | '30' | '60' | '90' | 'never'
const LIFETIMES: readonly { value: Days; label: string }[] = [
  { value: '7', label: plural(7, '{count} day', '{count} days') },
  { value: '30', label: '30' },
  { value: '60', label: '60' },
  { value: '90', label: '90' },
  { value: 'never', label: t('Unlimited') },
]
const FIELDS = ['name', 'scopes', 'projectIds', 'expiresInDays', 'allowList'] as const

/**
 * Creates a key. Its text exists only in this component's state, not in any cache, URL, storage or log, and is
 * discarded when the dialog closes.
 */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  return made === null ? (
    <KeyForm onMade={setMade} onClose={onClose} />
  ) : (
    <MadeKey made={made} onClose={onClose} />
  )
}

interface Made {
  text: string
  kind: KeyKind
}

function KeyForm({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<KeyKind>('admin')
  const [scope, setScope] = useState<Scope>('read')
  const maxDays = useQuery(internalQuery('getOrganization')).data?.maxKeyDays ?? null
  const [chosen, setDays] = useState<Days>('90')
  const offered = LIFETIMES.filter(({ value }) => maxDays === null || Number(value) <= maxDays)
  const days = offered.some(({ value }) => value === chosen) ? chosen : (offered.at(-1)?.value ?? '7')
  const [projectIds, setProjectIds] = useState<readonly string[] | null>(null)
  const [allowed, setAllowed] = useState('')
  const make = async () => {
    const { text } = await internal('createApiKey', {
      body: {
        name: name.trim(),
        kind,
        ...(kind === 'admin' && { scopes: scope === 'read' ? ['read'] : ['read', 'write'] }),
        expiresInDays: days === 'never' ? null : (Number(days) as 7 | 30 | 60 | 90),
        allowList: allowed.split(/[\s,]+/).filter(Boolean),
        ...(projectIds === null ? {} : { projectIds: [...projectIds] }),
      },
    })
    void queryClient.invalidateQueries({ queryKey: internalKey('listApiKeys') })
    onMade({ text, kind })
  }
  return (
    <FormDialog
      title={t('New API key')}
      action={t('Create the key')}
      isOff={kind === 'assistant' ? projectIds?.length !== 1 : projectIds?.length === 0}
      fields={FIELDS}
      onSubmit={make}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <NameField error={faults.name} name={name} onText={setName} />
          <KindChoice
            kind={kind}
            onChange={(chosen) => {
              setKind(chosen)
              setProjectIds(null)
            }}
          />
          {kind === 'admin' ? (
            <>
              <ScopeChoice scope={scope} onChange={setScope} />
              <ProjectChoice chosen={projectIds} error={faults.projectIds} onChange={setProjectIds} />
            </>
          ) : (
            <OneProject
              chosen={projectIds?.[0]}
              error={faults.projectIds}
              onChange={(id) => setProjectIds([id])}
            />
          )}
          <FieldSet label={t('Lifetime')} {...lifetimeHint(days, maxDays)}>
            <SegmentedControl label={t('Lifetime')} value={days} onChange={setDays} choices={offered} />
          </FieldSet>
          <TextareaField
            label={t('Only from these addresses')}
            isOptional
            error={faults.allowList}
            hint={t('One address or range per line: 203.0.113.7 or 10.0.0.0/8.')}
            isMono
            rows={2}
            spellcheck={false}
            class="min-h-15"
            value={allowed}
            onText={setAllowed}
          />
        </>
      )}
    </FormDialog>
  )
}

function NameField({
  name,
  error,
  onText,
}: {
  name: string
  error: string | undefined
  onText: (name: string) => void
}) {
  return (
    <TextField
      label={t('Name')}
      error={error}
      hint={t('What will use it, so that you can tell it apart later.')}
      required
      autoFocus
      maxLength={NAME_CHARACTERS.key}
      placeholder={t('Nightly report')}
      autocomplete="off"
      value={name}
      onText={onText}
    />
  )
}

function KindChoice({ kind, onChange }: { kind: KeyKind; onChange: (kind: KeyKind) => void }) {
  return (
    <FieldSet label={t('Kind')}>
      <RadioGroup
        label={t('Kind')}
        value={kind}
        onChange={onChange}
        choices={[
          { value: 'admin', label: t('Admin key'), about: t('For the API of the organization.') },
          {
            value: 'assistant',
            label: t('Assistant key'),
            about: t('For the assistant, search and public pages of one project, and nothing else.'),
          },
        ]}
      />
    </FieldSet>
  )
}

function OneProject({
  chosen = '',
  error,
  onChange,
}: {
  chosen: string | undefined
  error: string | undefined
  onChange: (id: string) => void
}) {
  const { data } = useQuery(projectsQuery())
  return (
    <FieldSet label={t('For which project')} error={error}>
      <div class="max-h-44 overflow-y-auto px-1 py-1">
        <RadioGroup
          label={t('For which project')}
          value={chosen}
          onChange={onChange}
          choices={(data?.projects ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
    </FieldSet>
  )
}

type Scope = 'read' | 'write'

function ScopeChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  return (
    <FieldSet label={t('What it may do')}>
      <RadioGroup
        label={t('What it may do')}
        value={scope}
        onChange={onChange}
        choices={[
          {
            value: 'read',
            label: t('Read', { context: 'scope' }),
            about: t('Read feedback, jobs and exports.'),
          },
          {
            value: 'write',
            label: t('Read and write'),
            about: t('Also set statuses and start jobs and exports, as far as you may yourself.'),
          },
        ]}
      />
    </FieldSet>
  )
}

/** Project selection; null stands for all projects. */
function ProjectChoice({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly string[] | null
  error: string | undefined
  onChange: (chosen: readonly string[] | null) => void
}) {
  const { data } = useQuery(projectsQuery())
  const projects = data?.projects ?? []
  return (
    <FieldSet label={t('For which projects')} error={error}>
      <RadioGroup
        label={t('For which projects')}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
        choices={[
          { value: 'all', label: t('All projects'), about: t('Future ones too.') },
          {
            value: 'some',
            label: t('Only these projects'),
            about: t('It sees no others, and cannot act on the whole organization.'),
            isOff: projects.length === 0,
          },
        ]}
      />
      {chosen !== null && (
        <div
          role="group"
          aria-label={t('Projects')}
          class="mt-2 max-h-44 space-y-1 overflow-y-auto px-1 py-1"
        >
          {projects.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              isOn={chosen.includes(id)}
              onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          ))}
        </div>
      )}
    </FieldSet>
  )
}

function lifetimeHint(days: Days, maxDays: number | null): { hint?: string } {
  if (days === 'never') return { hint: t('A key that never expires will be found by somebody one day.') }
  return maxDays === null
    ? {}
    : {
        hint: plural(
          maxDays,
          'The organization lets keys live for at most {count} day.',
          'The organization lets keys live for at most {count} days.',
        ),
      }
}

/** Shows the new key. Escape and clicks outside only warn, so that the key is not lost by accident. */
function MadeKey({ made: { text, kind }, onClose }: { made: Made; onClose: () => void }) {
  const { publicUrl } = useSession()
  const [isWarned, setWarned] = useState(false)
  const { data } = useQuery(projectsQuery())
  return (
    <Dialog
      title={t('Copy your key now')}
      about={t('It is shown only once. Only its hash is kept, so nobody can show it again.')}
      onClose={() => setWarned(true)}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('I have copied it')}
        </Button>
      }
    >
      <div role="alert">
        {isWarned && (
          <p class="mb-3 text-13 text-warning">
            {t(
              'Still open: save the key first, then choose “I have copied it”. After that nobody can show it.',
            )}
          </p>
        )}
      </div>
      <CopyField text={text} label={t('The new API key')} />
      <p class="mt-4 mb-2 text-13 text-soft">{t('Try it:')}</p>
      <CodeBlock
        lang="shell"
        text={
          kind === 'assistant'
            ? searchLine(publicUrl)
            : curlLine(publicUrl, data?.projects[0]?.id ?? '{projectId}')
        }
      />
    </Dialog>
  )
}
