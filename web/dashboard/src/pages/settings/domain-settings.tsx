import { useState } from 'preact/hooks'
import type { ProjectDomain } from '../../../../../src/features/projects/operations/domains.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FieldError, FieldSet } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { DomainBadge, DomainProof } from './domain-proof.tsx'
import { SettingsForm, type SettingsShape, type SettingsState } from './settings-form.tsx'

interface DomainDraft {
  domains: readonly string[]
}

const MAX_DOMAINS = 50
const EXAMPLE_DOMAIN = 'docs.example.com'
/** Field of errors about the list as a whole. Errors of a domain are keyed by its name, so that they follow it. */
const DOMAIN_LIST_FIELD = 'domains'

const SHAPE: SettingsShape<DomainDraft> = {
  toDraft: ({ domains }) => ({ domains }),
  toChange: ({ domains }) => ({ domains: domains.map((name) => name.trim()).filter((name) => name !== '') }),
  toLabelledValues: ({ domains }) => [{ label: t('Domains'), value: domains.join(', ') }],
  matchField: (path, { domains = [] }) => {
    const [field, index] = path.split('/')
    return field === DOMAIN_LIST_FIELD ? (domains[Number(index)] ?? DOMAIN_LIST_FIELD) : undefined
  },
}

export function DomainSettings({ project }: { project: ProjectDetail }) {
  const [asked, setAsked] = useState<{ gone: string[]; go: () => void } | null>(null)
  return (
    <>
      <SettingsForm
        project={project}
        shape={SHAPE}
        beforeSave={(draft, saved, go) => {
          const gone = saved.domains.filter((name) => !draft.domains.includes(name))
          if (gone.length === 0) go()
          else setAsked({ gone, go })
        }}
      >
        {/* The states of the domains update independently of the form's draft. */}
        {(state) => <Domains {...state} now={project} />}
      </SettingsForm>
      {asked !== null && (
        <ConfirmDialog
          title={plural(asked.gone.length, 'Remove this domain?', 'Remove these domains?')}
          name={asked.gone[0] ?? ''}
          action={plural(asked.gone.length, 'Remove it', 'Remove them')}
          onClose={() => setAsked(null)}
          onConfirm={async () => asked.go()}
        >
          <p>
            {rich(
              'Readers who come to {domains} find nothing there any more, and another organization of this server may take the name. Bundles that were exported stay as they are.',
              { domains: <strong class="text-text">{asked.gone.join(', ')}</strong> },
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Domains({ now, ...state }: SettingsState<DomainDraft> & { now: ProjectDetail }) {
  const {
    draft: { domains },
    set,
    faults,
    mayChange,
  } = state
  return (
    <FieldSet
      label={t('Domains')}
      hint={
        <>
          {t(
            'The host names at which readers find the site. Point each one here with a CNAME or A record. The first is the main address: links in sitemaps and previews name it.',
          )}
          {now.provesDomains &&
            ` ${t('What to create as a proof that a domain is yours is shown once it is saved.')}`}
        </>
      }
    >
      <ol class="divide-y divide-line rounded-md border border-line" aria-label={t('Domains')}>
        {domains.map((name, index) => (
          <DomainRow
            key={index}
            {...state}
            name={name}
            index={index}
            told={now.domainStates.find(
              ({ domain, state }) => domain === name && (now.provesDomains || state === 'pending'),
            )}
          />
        ))}
      </ol>
      {faults[DOMAIN_LIST_FIELD] !== undefined && (
        <FieldError role="alert">{faults[DOMAIN_LIST_FIELD]}</FieldError>
      )}
      {mayChange && domains.length < MAX_DOMAINS && (
        <Button size="small" icon="plus" class="mt-3" onClick={() => set({ domains: [...domains, ''] })}>
          {t('Add a domain')}
        </Button>
      )}
    </FieldSet>
  )
}

interface RowProps extends SettingsState<DomainDraft> {
  name: string
  index: number
  /** State of the domain; without verification, there is no state to show for served domains. */
  told: ProjectDomain | undefined
}

function DomainRow({ name, index, told, draft: { domains }, set, faults, mayChange, project }: RowProps) {
  const fault = faults[name.trim()]
  const isSaved = project.domains.includes(name)
  const id = `domain-${index}-error`
  const others = domains.filter((_, at) => at !== index)
  return (
    <li class="px-3 py-2">
      <div class="flex items-center gap-2">
        {isSaved ? (
          <span class="min-w-0 flex-1 font-mono text-13 break-words">{name}</span>
        ) : (
          <Input
            isMono
            autocapitalize="none"
            aria-label={t('Domain {number}', { number: index + 1 })}
            {...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
            class="flex-1"
            value={name}
            placeholder={EXAMPLE_DOMAIN}
            onInput={({ currentTarget: { value } }) => set({ domains: domains.with(index, value) })}
          />
        )}
        {told !== undefined && <DomainBadge one={told} />}
        {index === 0 && <Badge>{t('main', { context: 'domain' })}</Badge>}
        {index > 0 && mayChange && isSaved && (
          <Button size="small" look="quiet" onClick={() => set({ domains: [name, ...others] })}>
            {t('Make main')}
          </Button>
        )}
        {mayChange && domains.length > 1 && (
          <IconButton
            icon="trash-2"
            size="small"
            label={name === '' ? t('Remove this domain') : t('Remove {name}', { name })}
            onClick={() => set({ domains: others })}
          />
        )}
      </div>
      {fault !== undefined && (
        <FieldError role="alert" id={id}>
          {fault}
        </FieldError>
      )}
      {told !== undefined && <DomainProof projectId={project.id} one={told} />}
    </li>
  )
}
